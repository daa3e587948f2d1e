// The preconditions of running roles: the controller as kcp shows it, and the webhook as it answers from here.
import { printFirst } from '@dep-ctrl/exported-types';
import { holds } from '@dep-ctrl/webhook-installer';
import { HOME_NAMESPACE, LEASE_NAME } from '../bootstrap/manifests.js';
import { desiredAdmission } from '../controller/rule-admission/desired-admission.js';
import { isOurs, ownershipOf } from '../controller/configuration/ownership.js';
import { ADMISSION_CONFIGURATION } from '../own-objects/admission-configuration.js';
import type { WebhookFacts } from '../installation/facts.js';
import { leaseView } from '../own-objects/lease-view.js';
import type { SeenCertificate } from '../installation/peek.js';
import { installedUrls, leadsTo, webhookAddress, type InstalledUrl } from '../installation/read-webhooks.js';
import { valueOr } from '../installation/reading.js';
import { broken, depCtrl, kubectl, met, notChecked, READYZ, startRoles, type DoctorFacts, type Precondition } from './precondition.js';
import { datesText, SOON_MS } from './server-preconditions.js';

const START = startRoles({});
const COMPARE_TOKENS = 'diff CONTROLLER_URL_TOKEN_FILE WEBHOOK_URL_TOKEN_FILE';
const WRONG_TOKEN = 'does not accept the token in that URL: give both roles the same --url-token-file';
const MOST_NAMED = 5;
/** For a configuration that names no URL: it is not what is wanted. */
const NOWHERE: Pick<InstalledUrl, 'url' | 'caBundle'> = { url: 'https://none', caBundle: undefined };

/** The controller first. */
export const ROLE_PRECONDITIONS: readonly Precondition[] = [
  {
    id: 'controller-leads',
    must: 'If controllers elect a leader, one of them renews the Lease.',
    otherwise: 'Rules that are written now get no status and do not come into force. What is in force stays so.',
    fix: START,
    judge: ({ installation, access, nowMs }) => {
      if (installation?.home.presence.state !== 'found') return [];
      const { lease, path } = installation.home;
      const where = `Lease ${HOME_NAMESPACE}/${LEASE_NAME} in ${path}`;
      if (lease.state === 'unread') return [notChecked(where, lease)];
      const view = leaseView(lease.value, nowMs);
      if (view === undefined) {
        return [
          notChecked(where, {
            because: 'not-asked',
            why: 'there is none: the controller runs with --leader-elect=false, or has never run',
          }),
        ];
      }
      if (view.holder === '') return [broken(where, 'is held by nobody: no controller runs', startRoles(access))];
      return [
        view.isFresh
          ? met(where)
          : broken(where, `was renewed last ${view.ageText} ago by ${view.holder}: no controller leads`, startRoles(access)),
      ];
    },
  },
  {
    id: 'admission-there',
    must: 'kcp is told to have rules and guards checked as they are written.',
    otherwise: 'Rules with mistakes are stored, and only their status says so.',
    fix: START,
    judge: ({ installation, access, nowMs }) => {
      if (installation?.home.presence.state !== 'found') return [];
      const { admission, lease, path, presence } = installation.home;
      const where = `ValidatingWebhookConfiguration ${ADMISSION_CONFIGURATION} in ${path}`;
      if (admission.state === 'unread') return [notChecked(where, admission)];
      const view = leaseView(valueOr(lease, undefined), nowMs);
      const leads = view !== undefined && view.holder !== '' && view.isFresh;
      const lookAgain = depCtrl(access, 'status');
      if (admission.value === undefined) {
        return [
          leads
            ? broken(where, `is missing: ${view.holder} leads and writes it within seconds, once its webhook answers`, lookAgain)
            : broken(where, 'is missing: the controller writes it when it runs', startRoles(access)),
        ];
      }
      const [{ url, caBundle } = NOWHERE] = installedUrls([admission.value]);
      const desired = desiredAdmission({ webhookUrl: url, urlToken: /\/admit\/([^/]+)/.exec(url)?.[1], caBundle });
      if (holds(admission.value, { desired, ownership: ownershipOf(presence.cluster) })) return [met(where)];
      const remove = kubectl(access, path, `delete validatingwebhookconfiguration ${ADMISSION_CONFIGURATION}`);
      if (!isOurs(admission.value, presence.cluster)) {
        return [
          broken(
            where,
            'does not say that it is of this installation, so no controller touches it: one that runs makes it anew once it is gone',
            remove,
          ),
        ];
      }
      return [
        leads
          ? broken(where, `is not what this version of dep-ctrl writes: ${view.holder} leads and replaces it within seconds`, lookAgain)
          : broken(where, 'is not what this version of dep-ctrl writes: the controller replaces it when it runs', startRoles(access)),
      ];
    },
  },
  {
    id: 'webhook-answers',
    must: 'The webhook answers, from here, at the address in the workspace of dep-ctrl. No other address is called.',
    otherwise: 'kcp refuses every guarded delete, unless it sits in another network than this machine.',
    fix: START,
    judge: forWebhooks(({ origin, peek }, { access }) => {
      if (peek.state !== 'silent') return [met(origin)];
      const says = `does not answer from here: ${peek.problem}. If it runs in another network, look from there: curl -k ${origin}/. If it does not run, start it`;
      return [broken(origin, says, startRoles({ ...access, webhookOrigin: origin }))];
    }),
  },
  certificate('webhook-certificate-trusted', {
    must: 'The certificate of the webhook is signed by a CA of the installed bundles.',
    isWrong: ({ isTrusted }) => !isTrusted,
    says: ({ issuer }) =>
      `shows a certificate of "${issuer}", which the installed CA bundle does not verify: see --webhook-ca-bundle-path of the controller`,
  }),
  certificate('webhook-certificate-host', {
    must: 'The certificate of the webhook is for the host that kcp calls.',
    isWrong: ({ isForHost }) => !isForHost,
    says: ({ names }) => `shows a certificate for another host than kcp calls: it is for ${names}`,
  }),
  certificate('webhook-certificate-dates', {
    must: 'The certificate of the webhook is valid now, and for another seven days.',
    isWrong: ({ validFromMs, validToMs }, nowMs) => nowMs < validFromMs || nowMs > validToMs - SOON_MS,
    says: (seen, nowMs) => `shows a certificate that ${datesText(seen, nowMs)}: see tls.crt in --tls-cert-dir of the webhook`,
  }),
  {
    id: 'webhook-token',
    must: 'The webhook accepts the token in each installed URL.',
    otherwise: 'kcp refuses every delete that this configuration guards: "could not find the requested resource".',
    fix: COMPARE_TOKENS,
    judge: ({ installation, nameOf }) =>
      (installation?.webhooks ?? [])
        .filter(({ peek }) => peek.state === 'answered')
        .flatMap(({ origin, namedIn, askedTokens, refusedTokens }) =>
          namedIn.map((cluster) => {
            const where = `${origin}, as named in ${nameOf(cluster)}`;
            if (!askedTokens.includes(cluster)) return notChecked(where, { because: 'not-asked', why: 'so many URLs are not tried' });
            return refusedTokens.includes(cluster) ? broken(where, WRONG_TOKEN, COMPARE_TOKENS) : met(where);
          }),
        ),
  },
  {
    id: 'one-webhook',
    must: 'All configurations name the webhook that the one in the workspace of dep-ctrl names.',
    otherwise: 'Some deletes are judged by a webhook that may be gone.',
    fix: READYZ,
    judge: ({ installation, providers }) => {
      const admission = installation && valueOr(installation.home.admission, undefined);
      const address = webhookAddress(admission);
      if (address === undefined) return [];
      const { origin } = new URL(address);
      const others = providers
        .filter(({ configuration }) => installedUrls(configuration ? [configuration] : []).some((each) => !leadsTo(address, each)))
        .map(({ name }) => name);
      if (others.length === 0) return [met(origin)];
      const where = `${others.length === 1 ? 'configuration' : `${others.length} configurations`} in ${printFirst(others, { most: MOST_NAMED })}`;
      const says = `${others.length === 1 ? 'has' : 'have'} kcp call another address than ${origin}, which may be their author's, and was not called from here: the controller writes one only, so ask it why with ${READYZ}`;
      return [broken(where, says, READYZ)];
    },
  },
];

function forWebhooks(judge: (webhook: WebhookFacts, facts: DoctorFacts) => ReturnType<Precondition['judge']>): Precondition['judge'] {
  return (facts) => (facts.installation?.webhooks ?? []).flatMap((webhook) => judge(webhook, facts));
}

interface CertificateWish {
  readonly must: string;
  readonly isWrong: (certificate: SeenCertificate, nowMs: number) => boolean;
  readonly says: (certificate: SeenCertificate, nowMs: number) => string;
}

function certificate(id: string, { must, isWrong, says }: CertificateWish): Precondition {
  const fix = (hostPort: string): string => `openssl s_client -connect ${hostPort} -showcerts </dev/null | openssl x509 -noout -text`;
  return {
    id,
    must,
    otherwise: 'kcp refuses every guarded delete, unless something between here and kcp ends TLS.',
    fix: fix('HOST:9443'),
    judge: forWebhooks(({ origin, peek }, { nowMs }) => {
      if (peek.state !== 'answered') return [];
      const { hostname, port } = new URL(origin);
      const isBad = isWrong(peek.certificate, nowMs);
      return [isBad ? broken(origin, says(peek.certificate, nowMs), fix(`${hostname}:${port === '' ? '443' : port}`)) : met(origin)];
    }),
  };
}

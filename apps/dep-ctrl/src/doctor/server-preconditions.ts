// The preconditions of kcp's addresses: the one of the kubeconfig, and each shard as the endpoints name it.
import type { ServerFacts } from '../installation/facts.js';
import type { SeenCertificate } from '../installation/peek.js';
import { ageText } from '../own-objects/lease-view.js';
import { broken, met, notChecked, type DoctorFacts, type Judgement, type Precondition } from './precondition.js';

/** Certificates and Leases are judged by the minute; a token that was made a moment ago is refused by a clock that is behind. */
export const MOST_SKEW_MS = 30_000;
/** What people renew by hand takes days. */
export const SOON_MS = 7 * 86_400_000;
/** 0.30 is the oldest that the conformance suite has run on. */
const OLDEST_MINOR = 30;

/** When a certificate is valid, for one that is not, or not for long. */
export function datesText({ validFromMs, validToMs }: Pick<SeenCertificate, 'validFromMs' | 'validToMs'>, nowMs: number): string {
  if (nowMs < validFromMs) return `is not valid before ${iso(validFromMs)}, which is in ${ageText(validFromMs - nowMs)}`;
  if (nowMs > validToMs) return `expired ${ageText(nowMs - validToMs)} ago, at ${iso(validToMs)}`;
  return `expires in ${ageText(validToMs - nowMs)}, at ${iso(validToMs)}`;
}

/** They are the same for the front-proxy and for shards. */
export const SERVER_PRECONDITIONS: readonly Precondition[] = [
  {
    id: 'kcp-answers',
    must: 'kcp answers at the address of the kubeconfig, and each shard at that of its endpoint.',
    otherwise: 'Nothing can be read. While a shard is away, rules of its workspaces are judged by what was read last.',
    fix: 'curl -k https://HOST:PORT/version',
    judge: (facts) =>
      serversOf(facts).map((server) =>
        server.peek.state === 'silent'
          ? broken(server.baseUrl, `does not answer: ${server.peek.problem}`, `curl -k ${server.baseUrl}/version`)
          : met(server.baseUrl),
      ),
  },
  certificate('kcp-certificate-trusted', {
    must: 'The certificate of kcp is signed by a CA of the kubeconfig, whole chain included.',
    otherwise: 'The roles do not connect.',
    isWrong: ({ isTrusted }) => !isTrusted,
    says: ({ issuer }) => `shows a certificate of "${issuer}", which the kubeconfig does not trust`,
  }),
  certificate('kcp-certificate-host', {
    must: 'The certificate of kcp is for the host by which it is called.',
    otherwise: 'The roles do not connect.',
    isWrong: ({ isForHost }) => !isForHost,
    says: ({ names }) => `shows a certificate for another host: it is for ${names}`,
  }),
  certificate('kcp-certificate-dates', {
    must: 'The certificate of kcp is valid now, and for another seven days.',
    otherwise: 'The roles do not connect once it has expired.',
    isWrong: ({ validFromMs, validToMs }, nowMs) => nowMs < validFromMs || nowMs > validToMs - SOON_MS,
    says: (seen, nowMs) => `shows a certificate that ${datesText(seen, nowMs)}`,
  }),
  {
    id: 'clock',
    must: 'The clock here and the clocks of kcp differ by less than 30 s.',
    otherwise: 'Tokens and certificates are refused, and replicas of the controller take the Lease from each other.',
    fix: 'timedatectl status',
    judge: (facts) =>
      serversOf(facts).flatMap(({ baseUrl, peek }) => {
        if (peek.state !== 'answered' || peek.skewMs === undefined) return [];
        const { skewMs } = peek;
        const isAhead = skewMs >= MOST_SKEW_MS;
        if (!isAhead && skewMs > -MOST_SKEW_MS) return [met(baseUrl)];
        const seconds = Math.round(Math.abs(skewMs) / 1_000);
        return [broken(baseUrl, `has a clock that is ${seconds} s ${isAhead ? 'ahead of' : 'behind'} the one here`, 'timedatectl status')];
      }),
  },
  {
    id: 'credentials',
    must: 'kcp knows the credentials of the kubeconfig.',
    otherwise: 'Nothing can be read.',
    fix: 'kubectl auth whoami',
    judge: ({ server, access }) => {
      const { baseUrl, version } = server;
      if (version.state === 'read' || version.because === 'refused') return [met(baseUrl)];
      if (version.because !== 'rejected') return [];
      return [broken(baseUrl, 'does not accept the credentials of the kubeconfig', ['kubectl', ...access.flags, 'auth whoami'].join(' '))];
    },
  },
  {
    id: 'kcp-version',
    must: 'kcp is 0.30 or newer.',
    otherwise: 'What dep-ctrl relies on was not tried there.',
    fix: 'kubectl version',
    judge: (facts) => serversOf(facts).flatMap(versionOf),
  },
];

interface CertificateWish {
  readonly must: string;
  readonly otherwise: string;
  readonly isWrong: (certificate: SeenCertificate, nowMs: number) => boolean;
  readonly says: (certificate: SeenCertificate, nowMs: number) => string;
}

function certificate(id: string, { must, otherwise, isWrong, says }: CertificateWish): Precondition {
  const fix = (hostPort: string) => `openssl s_client -connect ${hostPort} -showcerts </dev/null | openssl x509 -noout -text`;
  return {
    id,
    must,
    otherwise,
    fix: fix('HOST:PORT'),
    judge: (facts) =>
      serversOf(facts).flatMap(({ baseUrl, peek }) => {
        if (peek.state === 'proxied') return [notChecked(baseUrl, { because: 'not-asked', why: 'a proxy leads there' })];
        if (peek.state !== 'answered') return [];
        const { hostname, port } = new URL(baseUrl);
        const isBad = isWrong(peek.certificate, facts.nowMs);
        return [
          isBad ? broken(baseUrl, says(peek.certificate, facts.nowMs), fix(`${hostname}:${port === '' ? '443' : port}`)) : met(baseUrl),
        ];
      }),
  };
}

function versionOf({ baseUrl, version }: ServerFacts): readonly Judgement[] {
  // Not everybody may ask a shard.
  if (version.state === 'unread') return [];
  const found = /(?<=kcp-)v0\.([1-9]\d*)[^+\s]*/.exec(version.value);
  // The embedded kcp, builds of sources without tags (kcp's Makefile calls them v0.0.0), and 1.0 and later.
  if (found === null) return [met(baseUrl)];
  const [name, minor] = found;
  const isOld = Number(minor) < OLDEST_MINOR;
  return [isOld ? broken(baseUrl, `is kcp ${name}: 0.30 is the oldest that dep-ctrl was tried on`, 'kubectl version') : met(baseUrl)];
}

function serversOf({ server, installation }: DoctorFacts): readonly ServerFacts[] {
  const all = [server, ...(installation?.shards ?? []).map((shard) => shard.server)];
  return all.filter(({ baseUrl }, index) => all.findIndex((other) => other.baseUrl === baseUrl) === index);
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

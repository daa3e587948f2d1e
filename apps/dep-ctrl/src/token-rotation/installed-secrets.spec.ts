import { describe, expect, it } from '@jest/globals';
import { parseUrlSecrets, type UrlSecret } from '@dep-ctrl/admission-server';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { GUARD_NAME } from '@dep-ctrl/rule-registry';
import { binding, clusterNamed, HOME, installation, read, shard } from '../doctor/spec-support/whole-facts.js';
import type { HomeFacts } from '../installation/facts.js';
import type { Unread } from '../installation/reading.js';
import { OWNER_LABEL } from '../own-objects/configuration-labels.js';
import { deriveAdmissionToken, deriveUrlToken } from '../url-tokens/url-tokens.js';
import { hiddenWorkspaces, homeUrl, othersNotMadeBy } from './installed-secrets.js';

const [OLD, NEW] = [secretOf('old-secret-of-the-test'), secretOf('new-secret-of-the-test')];
const [NETWORK, STORAGE] = [clusterNamed('network'), clusterNamed('storage')];
const unread: Unread = { state: 'unread', what: 'it', because: 'refused', why: 'of no matter here' };
const away: HomeFacts['presence'] = { state: 'missing', what: 'workspace', text: 'none' };

function secretOf(text: string): UrlSecret {
  const secrets = parseUrlSecrets(text);
  if (!secrets.ok) throw new Error(secrets.problem);
  return secrets.value[0];
}

/** A configuration with one URL. */
const configuration = (
  cluster: string,
  url: string,
  { name = GUARD_NAME, owner = HOME }: { readonly name?: string; readonly owner?: string } = {},
): KubeObject => ({
  metadata: { name, labels: { [OWNER_LABEL]: owner }, annotations: { 'kcp.io/cluster': cluster } },
  webhooks: [{ clientConfig: { url } }],
});

describe(homeUrl, () => {
  const urlUnder = (secret: UrlSecret, segment = deriveAdmissionToken(secret)) => `https://w:9443/base/admit/${segment}`;
  const found = (url: string, secrets: readonly UrlSecret[]) =>
    homeUrl(installation({ home: { admission: read(configuration('home', url)) } }), secrets);

  it('given a URL of the second secret that is asked about, then that one made it, and the same URL under another is told', () => {
    const url = found(urlUnder(OLD), [NEW, OLD]);

    expect(url).toMatchObject({
      where: 'dependency-admission in root:dep-ctrl',
      origin: 'https://w:9443',
      madeBy: OLD,
    });
    expect(url?.urlUnder(NEW)).toBe(urlUnder(NEW));
    expect(url?.urlUnder(OLD)).toBe(urlUnder(OLD));
  });

  it('given a URL of none of them, then nobody made it, and it is the same under each', () => {
    const url = found(urlUnder(OLD), [NEW]);

    expect(url?.madeBy).toBeUndefined();
    expect(url?.urlUnder(NEW)).toBe(urlUnder(OLD));
  });

  it('given a URL that has the token within a segment only, then that secret did not make it', () => {
    expect(found(urlUnder(OLD, `${deriveAdmissionToken(OLD)}x`), [OLD])?.madeBy).toBeUndefined();
  });

  it.each([
    { given: 'no configuration', admission: read(undefined) },
    { given: 'a configuration that may not be read', admission: unread },
    { given: 'a configuration without a URL', admission: read({ ...configuration('home', ''), webhooks: [] }) },
  ])('given $given, then there is no URL', ({ admission }) => {
    expect(homeUrl(installation({ home: { admission } }), [OLD])).toBeUndefined();
  });
});

describe(othersNotMadeBy, () => {
  const urlOf = (cluster: string, secret: UrlSecret) => `https://w:9443/validate/${deriveUrlToken(secret, clusterNamed(cluster))}`;
  const late = (configurations: readonly KubeObject[], home: Partial<HomeFacts> = {}) =>
    othersNotMadeBy(installation({ home, shards: [shard({ configurations: read(configurations) })] }), NEW);

  it('given URLs of this and of another secret, then the workspaces of the other one are told, sorted by name', () => {
    const configurations = [
      configuration(STORAGE, urlOf(STORAGE, OLD)),
      configuration(NETWORK, urlOf(NETWORK, OLD)),
      configuration('compute', urlOf('compute', NEW)),
    ];

    expect(late(configurations)).toEqual([
      { cluster: 'network', name: 'network' },
      { cluster: 'storage', name: 'storage' },
    ]);
  });

  it('given the URL of another workspace under this secret, then it is not that of this one', () => {
    expect(late([configuration('compute', urlOf(NETWORK, NEW))])).toEqual([{ cluster: 'compute', name: 'root:providers:compute' }]);
  });

  it('given configurations of another name or another owner, then nothing is said of them', () => {
    const url = urlOf(NETWORK, OLD);

    expect(late([configuration(NETWORK, url, { name: 'other' }), configuration(NETWORK, url, { owner: 'other' })])).toEqual([]);
  });

  it('given a workspace of dep-ctrl that is not there, then none is late', () => {
    expect(late([configuration(NETWORK, urlOf(NETWORK, OLD))], { presence: away })).toEqual([]);
  });
});

describe(hiddenWorkspaces, () => {
  const claims = (state: string) => {
    const object = binding();
    const { permissionClaims, ...spec } = object['spec'] as { readonly permissionClaims: readonly object[] };
    return { ...object, spec: { ...spec, permissionClaims: permissionClaims.map((claim) => ({ ...claim, state })) } };
  };
  const hidden = (one: KubeObject, home: Partial<HomeFacts> = {}) =>
    hiddenWorkspaces(installation({ home, shards: [shard({ bindings: read([one]) })] }));

  it.each<{ given: string; one: KubeObject; expected: readonly string[] }>([
    { given: 'a claim that is accepted', one: claims('Accepted'), expected: [] },
    { given: 'a claim that is rejected', one: claims('Rejected'), expected: ['root:providers:compute'] },
    { given: 'a binding that is not bound yet', one: binding({ status: { phase: 'Binding' } }), expected: [] },
    { given: 'a binding that is being deleted', one: binding({ metadata: { deletionTimestamp: '2026-11-23T11:00:00Z' } }), expected: [] },
  ])('given $given, then the workspace is hidden, or not', ({ one, expected }) => {
    expect(hidden(one)).toEqual(expected);
  });

  it('given a workspace with a guard and without a binding, then nothing is to be written there', () => {
    const guard = { metadata: { name: GUARD_NAME, annotations: { 'kcp.io/cluster': NETWORK } } };

    expect(hiddenWorkspaces(installation({ shards: [shard({ bindings: read([]), guards: read([guard]) })] }))).toEqual([]);
  });

  it('given a workspace of dep-ctrl that is not there, then none is hidden', () => {
    expect(hidden(claims('Rejected'), { presence: away })).toEqual([]);
  });
});

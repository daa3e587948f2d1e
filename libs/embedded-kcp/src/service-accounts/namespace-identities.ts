// Keeps in every namespace the ServiceAccount `default`, the ConfigMap with the CA, and the tokens in Secrets of type service-account-token.
import type { KubeObject, LogicalClusterName } from '@dep-ctrl/kcp-names';
import type { Background } from '../background/background.js';
import { stringAt, valueAt, withAnnotations } from '../json/json.js';
import type { Loopback } from '../kcp/shards/loopback.js';
import { coreResource } from '../machinery/builtin/core-resources.js';
import type { ShardStore } from '../storage/shard-store.js';
import type { StoredObject } from '../storage/stored-object.js';
import { secretClaims } from './service-account-claims.js';
import type { TokenSigner } from './signed-token.js';

const ACCOUNT_NAME = 'kubernetes.io/service-account.name';
const ACCOUNT_UID = 'kubernetes.io/service-account.uid';
const TOKEN_TYPE = 'kubernetes.io/service-account-token';
const ROOT_CA = 'kube-root-ca.crt';
const ROOT_CA_NOTE =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';

const NAMESPACES = coreResource('namespaces');
const SERVICE_ACCOUNTS = coreResource('serviceaccounts');
const SECRETS = coreResource('secrets');
const CONFIG_MAPS = coreResource('configmaps');

/** The parts that the controller needs. */
export interface NamespaceIdentitiesOptions {
  readonly store: ShardStore;
  readonly loopback: Loopback;
  readonly background: Background;
  readonly signer: TokenSigner;
  /** The CA that verifies the server, PEM. */
  readonly ca: string;
}

/** Keeps identities in the namespaces of one shard. */
export class NamespaceIdentities {
  readonly #options: NamespaceIdentitiesOptions;

  constructor(options: NamespaceIdentitiesOptions) {
    this.#options = options;
  }

  /** Follows the store until the returned function is called. */
  start(): () => void {
    const { store, background } = this.#options;
    return store.subscribe(({ bucket, event: { type, current } }) => {
      const react = (what: string, work: () => Promise<void>): void => background.after('reaction', what, work);
      if (bucket === NAMESPACES.bucket && type !== 'deleted') {
        react('namespace identities', () => this.#keepDefaults(current.cluster, current.name));
      } else if (bucket === SERVICE_ACCOUNTS.bucket) {
        if (type === 'deleted') react('token secrets', () => this.#dropTokens(current));
        if (type === 'deleted' && current.name === 'default')
          react('default service account', () => this.#keepDefaults(current.cluster, current.namespace));
        if (type === 'added') react('token secrets', () => this.#fillTokens(current));
      } else if (bucket === SECRETS.bucket && type !== 'deleted' && isTokenSecret(current)) {
        react('token secret', () => this.#keepToken(current.cluster, current.namespace, current.name));
      } else if (bucket === CONFIG_MAPS.bucket && current.name === ROOT_CA && type === 'deleted') {
        react('root CA', () => this.#keepDefaults(current.cluster, current.namespace));
      }
    });
  }

  async #keepDefaults(cluster: LogicalClusterName, namespace: string): Promise<void> {
    const { loopback, ca } = this.#options;
    const found = loopback.get(NAMESPACES, { cluster }, namespace);
    if (found === undefined || found.object.metadata.deletionTimestamp !== undefined) return;
    const place = { cluster, namespace };
    await loopback.ensure(SERVICE_ACCOUNTS, place, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } });
    const annotations = { 'kubernetes.io/description': ROOT_CA_NOTE };
    await loopback.ensure(CONFIG_MAPS, place, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: ROOT_CA, annotations },
      data: { 'ca.crt': ca },
    });
  }

  async #fillTokens({ cluster, namespace, name }: StoredObject): Promise<void> {
    for (const secret of this.#secretsOf(cluster, namespace, name)) await this.#keepToken(cluster, namespace, secret.name);
  }

  async #dropTokens({ cluster, namespace, name }: StoredObject): Promise<void> {
    const { loopback } = this.#options;
    for (const secret of this.#secretsOf(cluster, namespace, name)) await loopback.delete(SECRETS, { cluster, namespace }, secret.name);
  }

  #secretsOf(cluster: LogicalClusterName, namespace: string, account: string): readonly StoredObject[] {
    const { store } = this.#options;
    const secrets = store.bucket(SECRETS.bucket).list({ cluster, namespace });
    return secrets.filter((secret) => isTokenSecret(secret) && secret.object.metadata.annotations?.[ACCOUNT_NAME] === account);
  }

  // A Secret that names no account that exists is removed; one that has no token gets it.
  async #keepToken(cluster: LogicalClusterName, namespace: string, name: string): Promise<void> {
    const { loopback, signer, ca } = this.#options;
    const place = { cluster, namespace };
    const secret = loopback.get(SECRETS, place, name);
    if (secret === undefined) return;
    const account = loopback.get(SERVICE_ACCOUNTS, place, secret.object.metadata.annotations?.[ACCOUNT_NAME] ?? '');
    const wantedUid = secret.object.metadata.annotations?.[ACCOUNT_UID];
    if (account === undefined || (wantedUid !== undefined && wantedUid !== account.uid)) {
      await loopback.delete(SECRETS, place, name);
      return;
    }
    if (valueAt(secret.object, 'data', 'token') !== undefined) return;
    const token = signer.sign(secretClaims({ cluster, namespace, name: account.name, uid: account.uid }, name));
    const data = { 'ca.crt': base64(ca), namespace: base64(namespace), token: base64(token) };
    await loopback.change(SECRETS, place, name, (current) => filled(current, data, account.uid));
  }
}

function filled(secret: KubeObject, data: Readonly<Record<string, string>>, uid: string): KubeObject {
  const known = valueAt(secret, 'data') ?? {};
  return withAnnotations({ ...secret, data: { ...data, ...known } }, { [ACCOUNT_UID]: uid });
}

function isTokenSecret({ object }: StoredObject): boolean {
  return stringAt(object, 'type') === TOKEN_TYPE;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

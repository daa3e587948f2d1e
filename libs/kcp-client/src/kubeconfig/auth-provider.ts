import { KubeConfig } from '@kubernetes/client-node';
import type { Recipe } from './recipe.js';

/** As much of client-node's KubeConfig as an AuthProvider asks. It is written out because the package's declarations must compile without that optional peer. */
export interface SigningConfig {
  applyToHTTPSOptions(options: { headers?: Record<string, string> }): Promise<void>;
}

/** The Authorization header of an auth-provider such as oidc; @kubernetes/client-node knows them, and keeps and renews their tokens. */
export class AuthProvider {
  readonly #config: SigningConfig;

  /** The user of the current context is asked for. */
  constructor(config: SigningConfig) {
    this.#config = config;
  }

  /** Throws what the provider throws. */
  async headers(): Promise<Readonly<Record<string, string>>> {
    const options: { headers?: Record<string, string> } = {};
    await this.#config.applyToHTTPSOptions(options);
    const authorization = options.headers?.['Authorization'] ?? options.headers?.['authorization'];
    return authorization === undefined ? {} : { authorization };
  }
}

/** The provider that a recipe names, with a configuration of its own. */
export function providerOf({ cluster, user }: NonNullable<Recipe['provider']>, contextName: string): AuthProvider {
  const config = new KubeConfig();
  config.loadFromOptions({
    clusters: [{ name: cluster.name, server: cluster.fields['server'] }],
    users: [{ name: user.name, authProvider: user.fields['auth-provider'] }],
    contexts: [{ name: contextName, cluster: cluster.name, user: user.name }],
    currentContext: contextName,
  });
  return new AuthProvider(config);
}

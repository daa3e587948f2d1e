import { Container } from 'inversify';
import { kcpModule } from './kcp-module.js';
import { Ground, UrlSecretsInForce } from './tokens.js';

/** A container with what the roles share; the modules of the roles are loaded on top. It builds parts and starts none. */
export function compose(ground: Ground['value'], urlSecrets: UrlSecretsInForce['value']): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  container.bind(Ground).toConstantValue(new Ground(ground));
  container.bind(UrlSecretsInForce).toConstantValue(new UrlSecretsInForce(urlSecrets));
  container.load(kcpModule);
  return container;
}

// OpenID discovery: the issuer and the public key with which others verify tokens of ServiceAccounts.
import { jsonReply, type Reply } from '../http/reply.js';
import { noRepresentation } from '../machinery/requests/negotiate.js';
import { ISSUER } from './service-account-claims.js';
import type { TokenSigner } from './signed-token.js';

/** Answers both paths of OpenID discovery; undefined for any other. */
export function openIdReply(
  path: string,
  accept: string | undefined,
  { signer, url }: { readonly signer: TokenSigner; readonly url: string },
): Reply | undefined {
  if (path === '/.well-known/openid-configuration') {
    const configuration = {
      issuer: ISSUER,
      jwks_uri: `${url}/openid/v1/jwks`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [signer.publicKey['alg']],
    };
    return represented('application/json', accept, configuration);
  }
  return path === '/openid/v1/jwks' ? represented('application/jwk-set+json', accept, { keys: [signer.publicKey] }) : undefined;
}

function represented(type: string, accept: string | undefined, value: unknown): Reply {
  const accepted = (accept ?? '*/*').split(',').map((entry) => entry.split(';')[0]?.trim() ?? '');
  if (!accepted.some((one) => one === type || one === '*/*' || one === 'application/*')) throw noRepresentation(type);
  return jsonReply(200, value, { 'content-type': type, 'cache-control': 'public, max-age=3600' });
}

import { describe, expect, it } from '@jest/globals';
import { logicalCluster } from '@dep-ctrl/kcp-names';
import { StoredObject } from '../storage/stored-object.js';
import { serviceAccountOf, type FindNamespaced } from './service-account-authenticator.js';
import { boundClaims, ISSUER, secretClaims, type TokenSubject } from './service-account-claims.js';
import { TokenSigner } from './signed-token.js';

const cluster = logicalCluster('2c7ohl4h8q1x0n9k');
const subject: TokenSubject = { cluster, namespace: 'default', name: 'bot', uid: 'uid-1' };
const NOW = 1_800_000_000;

function stored(name: string, uid: string): StoredObject {
  return new StoredObject({ cluster, namespace: 'default', name }, 1, { metadata: { name, uid } });
}

const everythingThere: FindNamespaced = (resource, where, namespace, name) =>
  where === cluster && namespace === 'default'
    ? resource === 'serviceaccounts' && name === 'bot'
      ? stored('bot', 'uid-1')
      : resource === 'secrets' && name === 'bot-token'
        ? stored('bot-token', 'uid-2')
        : undefined
    : undefined;

function bound(more: Partial<Parameters<typeof boundClaims>[1]> = {}): Parameters<typeof boundClaims>[1] {
  return { id: 'j', audiences: [ISSUER], issued: NOW - 10, expires: NOW + 10, ...more };
}

describe(serviceAccountOf, () => {
  const signer = new TokenSigner();
  const whoIs = (token: string, find = everythingThere): unknown => serviceAccountOf(token, { signer, find, now: () => NOW * 1_000 });

  it('given a token that was asked for, when it is good, then it is the account with its home and the id of the token', () => {
    expect(whoIs(signer.sign(boundClaims(subject, bound())))).toEqual({
      username: 'system:serviceaccount:default:bot',
      uid: 'uid-1',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
      extra: {
        'authentication.kcp.io/cluster-name': [cluster],
        'authentication.kcp.io/scopes': [`cluster:${cluster}`],
        'authentication.kubernetes.io/credential-id': ['JTI=j'],
      },
    });
  });

  it('given a token of a Secret, when the Secret is there, then it is the account', () => {
    expect(whoIs(signer.sign(secretClaims(subject, 'bot-token')))).toMatchObject({ username: 'system:serviceaccount:default:bot' });
  });

  it.each([
    { given: 'a token that has ended', token: signer.sign(boundClaims(subject, bound({ expires: NOW }))) },
    { given: 'a token for somebody else', token: signer.sign(boundClaims(subject, bound({ audiences: ['vault'] }))) },
    { given: 'an account that was made anew', token: signer.sign(boundClaims({ ...subject, uid: 'uid-0' }, bound())) },
    { given: 'an account of another cluster', token: signer.sign(boundClaims({ ...subject, cluster: logicalCluster('other') }, bound())) },
    { given: 'a Secret that is gone', token: signer.sign(secretClaims(subject, 'gone')) },
    {
      given: 'a token bound to a Secret that is gone',
      token: signer.sign(boundClaims(subject, bound({ boundTo: { kind: 'Secret', name: 'gone', uid: 'u' } }))),
    },
    { given: 'the signature of another key', token: new TokenSigner().sign(boundClaims(subject, bound())) },
    { given: 'other claims', token: signer.sign({ iss: 'https://elsewhere', sub: 'x' }) },
    { given: 'a changed token', token: tampered(signer.sign(boundClaims(subject, bound()))) },
    { given: 'a word', token: 'word' },
    { given: 'a token that asks for no check', token: unsigned(boundClaims(subject, bound())) },
  ])('given $given, when asked, then it is nobody', ({ token }) => {
    expect(whoIs(token)).toBeUndefined();
  });
});

function tampered(token: string): string {
  const [header, claims, signature] = token.split('.');
  const text = Buffer.from(claims ?? '', 'base64url')
    .toString()
    .replace('bot', 'top');
  return [header, Buffer.from(text).toString('base64url'), signature].join('.');
}

function unsigned(claims: object): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part(claims)}.`;
}

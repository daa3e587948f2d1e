import assert from 'node:assert/strict';
import { inTurns } from '@dep-ctrl/fair-shares';
import { JsonProjection } from '@dep-ctrl/fieldpath';
import {
  AdmissionServer,
  defaultServerLimits,
  deriveToken,
  encodeReview,
  isTokenAccepted,
  parseCallTimeout,
  parseUrlSecrets,
  readReview,
  type CallRoute,
} from '@dep-ctrl/admission-server';
import { httpsPost, testCertificates } from '@dep-ctrl/admission-server/testing';

const secrets = parseUrlSecrets('a-secret-of-at-least-16-characters');
if (!secrets.ok) throw new Error(secrets.problem);
const parts = new JsonProjection([['apiVersion'], ['kind'], ['request', 'uid'], ['request', 'name']]);

const parse: CallRoute['parse'] = async (body) => {
  const review = await inTurns(readReview(body, parts));
  return () => {
    if (review.kind !== 'review') return Promise.resolve({ code: 400, contentType: 'text/plain; charset=utf-8', body: review.problem });
    const answer = { allowed: review.request['name'] !== 'precious', warnings: [], audit: {} };
    const status = { code: 403, reason: 'Forbidden', message: 'it is precious' };
    const reply = encodeReview(review.envelope, answer.allowed ? { ...answer, allowed: true } : { ...answer, allowed: false, status });
    return Promise.resolve({ code: 200, contentType: 'application/json', body: reply });
  };
};
const server = new AdmissionServer({
  host: '127.0.0.1',
  port: 0,
  limits: defaultServerLimits,
  served: 'reviews are posted to /review',
  route: (url) => {
    const [path = '', query = ''] = url.split('?');
    const [, root, token = ''] = path.split('/');
    if (root !== 'review') return 'elsewhere';
    if (!isTokenAccepted(secrets.value, 'reviews', token)) return 'not-admitted';
    return { sharer: 'everybody', timeoutMs: parseCallTimeout(query), parse };
  },
});
const { authority, pair } = await testCertificates(); // or a CertificateKeeper with pairFromDirectory or ownServingPair
server.use(pair);
const { port } = await server.listen();

const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request: { uid: 'u1', name: 'precious' } };
const question = { port, ca: authority.certificate, body: JSON.stringify(review) };
const answer = await httpsPost({ ...question, path: `/review/${deriveToken(secrets.value[0], 'reviews')}?timeout=2s` });
const stranger = await httpsPost({ ...question, path: '/review/guessed' });
await server.drain(AbortSignal.timeout(5_000));

assert.match(answer.body, /"uid":"u1","allowed":false.*it is precious/);
assert.equal(stranger.code, 404);

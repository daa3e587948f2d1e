import { extra } from './access-kinds.js';
import { kind } from './object-metadata.js';
import { as, define, moment, object, text, texts, truth, type Schema } from './schema-notation.js';

const AUTHENTICATION = 'io.k8s.api.authentication.v1';

const userInfo = define(
  `${AUTHENTICATION}.UserInfo`,
  object('A user.', { username: text('Name of the user.'), uid: text('UID of the user.'), groups: texts('Groups of the user.'), extra }),
);

const audiences = texts('Whom the token is for.');

/** The kinds of authentication.k8s.io/v1: questions that are answered and not stored. */
export const authenticationKinds: Readonly<Record<string, Schema>> = {
  TokenReview: kind(
    `${AUTHENTICATION}.TokenReview`,
    'TokenReview asks whom a token belongs to.',
    {
      spec: define(`${AUTHENTICATION}.TokenReviewSpec`, object('The question.', { token: text('The token.'), audiences }, ['token'])),
      status: define(
        `${AUTHENTICATION}.TokenReviewStatus`,
        object('The answer.', {
          authenticated: truth('Whether the token is good.'),
          user: as('Whom it belongs to.', userInfo),
          audiences,
          error: text('Why not.'),
        }),
      ),
    },
    ['spec'],
  ),
  SelfSubjectReview: kind(`${AUTHENTICATION}.SelfSubjectReview`, 'SelfSubjectReview asks for the identity of the caller.', {
    status: define(
      `${AUTHENTICATION}.SelfSubjectReviewStatus`,
      object('The answer.', { userInfo: as('The identity of the caller.', userInfo) }),
    ),
  }),
  TokenRequest: kind(
    `${AUTHENTICATION}.TokenRequest`,
    'TokenRequest asks for a token of a service account.',
    {
      spec: define(
        `${AUTHENTICATION}.TokenRequestSpec`,
        object('The wish.', {
          audiences,
          expirationSeconds: { description: 'How long the token shall be good.', type: 'integer', format: 'int64' },
          boundObjectRef: define(
            `${AUTHENTICATION}.BoundObjectReference`,
            object('The token ends with this object.', {
              kind: text('Kind of the object.'),
              apiVersion: text('API version of the object.'),
              name: text('Name of the object.'),
              uid: text('UID of the object.'),
            }),
          ),
        }),
      ),
      status: define(
        `${AUTHENTICATION}.TokenRequestStatus`,
        object('The token.', { token: text('The token.'), expirationTimestamp: moment('When it ends.') }, ['token', 'expirationTimestamp']),
      ),
    },
    ['spec'],
  ),
};

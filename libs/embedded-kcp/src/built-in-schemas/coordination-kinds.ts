import { kind } from './object-metadata.js';
import {
  anything,
  bytes,
  define,
  integer,
  listAppliedByKey,
  listOf,
  mapOf,
  moment,
  object,
  oneOf,
  text,
  texts,
  truth,
  type Schema,
} from './schema-notation.js';

const CERTIFICATES = 'io.k8s.api.certificates.v1';
const EXTENSIONS = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1';

/** The kinds of coordination.k8s.io/v1. */
export const coordinationKinds: Readonly<Record<string, Schema>> = {
  Lease: kind('io.k8s.api.coordination.v1.Lease', 'A Lease names the current leader.', {
    spec: define(
      'io.k8s.api.coordination.v1.LeaseSpec',
      object('The lease.', {
        holderIdentity: text('The current holder.'),
        leaseDurationSeconds: integer('How long others wait after the last renewal.'),
        acquireTime: moment('Since when the holder has it.'),
        renewTime: moment('When it was renewed last.'),
        leaseTransitions: integer('How often it changed hands.'),
        strategy: text('How the holder is chosen.'),
        preferredHolder: text('The holder that is wanted next.'),
      }),
    ),
  }),
};

/** The kinds of certificates.k8s.io/v1. */
export const certificateKinds: Readonly<Record<string, Schema>> = {
  CertificateSigningRequest: kind(
    `${CERTIFICATES}.CertificateSigningRequest`,
    'CertificateSigningRequest asks for a certificate.',
    {
      spec: define(
        `${CERTIFICATES}.CertificateSigningRequestSpec`,
        object(
          'The request.',
          {
            request: bytes('PKCS#10 in PEM, base64.'),
            signerName: text('The signer that is asked.'),
            usages: texts('What the certificate is for.'),
            expirationSeconds: integer('How long the certificate shall be good.'),
            username: text('The requesting user, set by the server.'),
            uid: text('UID of the requesting user, set by the server.'),
            groups: texts('Groups of the requesting user, set by the server.'),
            extra: mapOf('Further facts about the requesting user, set by the server.', { type: 'array', items: { type: 'string' } }),
          },
          ['request', 'signerName'],
        ),
      ),
      status: define(
        `${CERTIFICATES}.CertificateSigningRequestStatus`,
        object('The answer.', {
          certificate: bytes('PEM, base64.'),
          conditions: listAppliedByKey(
            'Approved, Denied or Failed.',
            'type',
            define(
              `${CERTIFICATES}.CertificateSigningRequestCondition`,
              object(
                'One aspect of the state.',
                {
                  type: text('Which aspect.'),
                  status: text('True, False or Unknown.'),
                  reason: text('A word for programs.'),
                  message: text('A sentence for people.'),
                  lastUpdateTime: moment('When it was updated last.'),
                  lastTransitionTime: moment('When the status changed last.'),
                },
                ['type', 'status'],
              ),
            ),
          ),
        }),
      ),
    },
    ['spec'],
  ),
};

const names = define(
  `${EXTENSIONS}.CustomResourceDefinitionNames`,
  object(
    'Names of the resource.',
    {
      plural: text('Name in URLs.'),
      singular: text('Name of one object.'),
      shortNames: texts('Short names for command lines.'),
      kind: text('Name in manifests.'),
      listKind: text('Kind of a list.'),
      categories: texts('Groups of resources that the resource belongs to, like all.'),
    },
    ['plural', 'kind'],
  ),
);

const version = define(
  `${EXTENSIONS}.CustomResourceDefinitionVersion`,
  object(
    'A version of the resource.',
    {
      name: text('Name of the version.'),
      served: truth('Whether it is served.'),
      storage: truth('Whether objects are stored in it.'),
      deprecated: truth('Whether users are warned.'),
      deprecationWarning: text('The warning.'),
      schema: define(
        `${EXTENSIONS}.CustomResourceValidation`,
        object('The schema.', { openAPIV3Schema: { ...anything('A structural schema.'), type: 'object' } }),
      ),
      subresources: anything('status and scale.'),
      additionalPrinterColumns: listOf(
        'Columns of tables.',
        define(
          `${EXTENSIONS}.CustomResourceColumnDefinition`,
          object(
            'A column.',
            {
              name: text('Heading.'),
              type: text('Type of the cells.'),
              format: text('Format of the cells.'),
              description: text('What the cells say.'),
              priority: integer('0: always shown.'),
              jsonPath: text('Where the cells are read.'),
            },
            ['name', 'type', 'jsonPath'],
          ),
        ),
      ),
      selectableFields: listOf('Fields for field selectors.', object('A field.', { jsonPath: text('Where it is.') }, ['jsonPath'])),
    },
    ['name', 'served', 'storage'],
  ),
);

/** The kinds of apiextensions.k8s.io/v1. */
export const extensionKinds: Readonly<Record<string, Schema>> = {
  CustomResourceDefinition: kind(
    `${EXTENSIONS}.CustomResourceDefinition`,
    'CustomResourceDefinition adds a resource to a workspace.',
    {
      spec: define(
        `${EXTENSIONS}.CustomResourceDefinitionSpec`,
        object(
          'The resource.',
          {
            group: text('Group of the resource.'),
            names,
            scope: oneOf('Cluster or Namespaced.', ['Cluster', 'Namespaced']),
            versions: listOf('Versions of the resource.', version),
            conversion: anything('How versions become one another.'),
            preserveUnknownFields: truth('Deprecated: must be false.'),
          },
          ['group', 'names', 'scope', 'versions'],
        ),
      ),
      status: define(
        `${EXTENSIONS}.CustomResourceDefinitionStatus`,
        object('What became of it.', {
          conditions: listAppliedByKey('Aspects of the state.', 'type', anything('One aspect of the state.')),
          acceptedNames: names,
          storedVersions: texts('Versions that objects were ever stored in.'),
        }),
      ),
    },
    ['spec'],
  ),
};

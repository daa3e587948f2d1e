import { describe, expect, it } from '@jest/globals';
import { workspacePath } from '@dep-ctrl/kcp-names';
import { VERSION } from '../command-line/version.js';
import { chooseIdentities } from './identities.js';
import { nextSteps, type Bootstrapped } from './next-steps.js';

const workspace = workspacePath('root:guards');

const PLAIN: Bootstrapped = {
  workspace: workspace,
  kubeconfig: undefined,
  context: undefined,
  shardKubeconfigs: ['shard.kubeconfig'],
  readAccess: 'listed',
  kubeconfigDir: undefined,
  urlTokenFile: undefined,
  isNew: true,
};
const ACCOUNTS = chooseIdentities({ controllerUser: undefined, webhookUser: undefined });
const USER = chooseIdentities({ controllerUser: 'ann', webhookUser: 'ann' });
const USERS = chooseIdentities({ controllerUser: 'ann', webhookUser: 'bob' });
const PLAIN_BIND = 'bind each provider: dep-ctrl bind root:my-provider --workspace root:guards';
const BIND = `${PLAIN_BIND} --shard-kubeconfig shard.kubeconfig`;
const WITH_PAIR = 'with tls.crt and tls.key for HOST in TLS_DIR: dep-ctrl webhook --kubeconfig';
const WITH_CA = 'with the CA of tls.crt in CA_FILE, or without that flag if the CA is a public one: dep-ctrl controller --kubeconfig';
const CALLED = '--webhook-url https://HOST:9443 --webhook-ca-bundle-path CA_FILE';

describe(nextSteps, () => {
  it.each([
    {
      given: 'ServiceAccounts without --kubeconfig-dir, which nobody can start with',
      bootstrapped: PLAIN,
      identities: ACCOUNTS,
      expected: [
        'get kubeconfigs of the ServiceAccounts dep-ctrl-controller, dep-ctrl-webhook, dep-ctrl-all, and how to start with them: run this again with --kubeconfig-dir DIR added',
        BIND,
      ],
    },
    {
      given: 'one named user for one role',
      bootstrapped: PLAIN,
      identities: chooseIdentities({ controllerUser: 'ann', webhookUser: undefined }),
      expected: [
        'get kubeconfigs of the ServiceAccount dep-ctrl-webhook, and how to start with them: run this again with --kubeconfig-dir DIR added',
        BIND,
      ],
    },
    {
      given: 'one user for both roles',
      bootstrapped: PLAIN,
      identities: USER,
      expected: [
        'have for each role a kubeconfig FILE of its user whose server ends in /clusters/root:guards',
        'start both roles in one process: dep-ctrl all --kubeconfig FILE',
        `or apart: the webhook, ${WITH_PAIR} FILE --tls-cert-dir TLS_DIR`,
        `and the controller, ${WITH_CA} FILE ${CALLED}`,
        BIND,
      ],
    },
    {
      given: 'a user for each role',
      bootstrapped: PLAIN,
      identities: USERS,
      expected: [
        'have for each role a kubeconfig FILE of its user whose server ends in /clusters/root:guards',
        `start the webhook, ${WITH_PAIR} FILE --tls-cert-dir TLS_DIR`,
        `start the controller, ${WITH_CA} FILE ${CALLED}`,
        BIND,
      ],
    },
    {
      given: 'an admin who gave a kubeconfig and a context, which bind needs as well',
      bootstrapped: { ...PLAIN, kubeconfig: 'admin.kubeconfig', context: 'root', kubeconfigDir: 'out', urlTokenFile: 'out/url-token' },
      identities: ACCOUNTS,
      expected: [
        'start both roles in one process: dep-ctrl all --kubeconfig out/all.kubeconfig',
        `or apart: the webhook, ${WITH_PAIR} out/webhook.kubeconfig --url-token-file out/url-token --tls-cert-dir TLS_DIR`,
        `and the controller, ${WITH_CA} out/controller.kubeconfig --url-token-file out/url-token ${CALLED}`,
        `${PLAIN_BIND} --kubeconfig admin.kubeconfig --context root --shard-kubeconfig shard.kubeconfig`,
      ],
    },
    {
      given: 'users whose credentials only they have, and no shard',
      bootstrapped: { ...PLAIN, shardKubeconfigs: [], kubeconfigDir: 'out', isNew: false },
      identities: USERS,
      expected: [
        'the rights of the webhook on the shards were not checked: if they are missing, give --shard-kubeconfig once per shard, or apply the system:admin part of --dry-run there',
        'fill the credentials of the named users into the kubeconfigs: kubectl config set-credentials USER --client-certificate CRT --client-key KEY --embed-certs --kubeconfig out/ROLE.kubeconfig',
        `start the webhook, ${WITH_PAIR} out/webhook.kubeconfig --tls-cert-dir TLS_DIR`,
        `start the controller, ${WITH_CA} out/controller.kubeconfig ${CALLED}`,
        `${PLAIN_BIND} --shard-kubeconfig FILE`,
      ],
    },
    {
      given: 'a new workspace, and no shard',
      bootstrapped: { ...PLAIN, shardKubeconfigs: [], leader: 'host_1' },
      identities: ACCOUNTS,
      expected: [
        'no shard has the rights of the roles yet, and every guarded delete is refused without them: run this again and give --shard-kubeconfig once per shard, or apply the system:admin part of --dry-run there',
        `the roles run already (host_1 leads): if they are of another version than ${VERSION}, restart each with this program, one process after the other, as it was started`,
        `${PLAIN_BIND} --shard-kubeconfig FILE`,
      ],
    },
    {
      given: 'roles that run',
      bootstrapped: { ...PLAIN, kubeconfigDir: 'out', leader: 'host_1' },
      identities: ACCOUNTS,
      expected: [
        `the roles run already (host_1 leads): if they are of another version than ${VERSION}, restart each with this program, one process after the other, as it was started`,
        BIND,
      ],
    },
    {
      given: 'two shards',
      bootstrapped: { ...PLAIN, shardKubeconfigs: ['root.kubeconfig', 'shard-1.kubeconfig'] },
      identities: chooseIdentities({ controllerUser: 'ann', webhookUser: undefined }),
      expected: [
        'get kubeconfigs of the ServiceAccount dep-ctrl-webhook, and how to start with them: run this again with --kubeconfig-dir DIR added',
        `${PLAIN_BIND} --shard-kubeconfig root.kubeconfig --shard-kubeconfig shard-1.kubeconfig`,
      ],
    },
    {
      given: 'a webhook that may read everything, so that bind has nothing to grant',
      bootstrapped: { ...PLAIN, readAccess: 'wildcard' as const },
      identities: chooseIdentities({ controllerUser: 'ann', webhookUser: undefined }),
      expected: [
        'get kubeconfigs of the ServiceAccount dep-ctrl-webhook, and how to start with them: run this again with --kubeconfig-dir DIR added',
        PLAIN_BIND,
      ],
    },
  ])('given $given, then the next steps can be taken as they stand', ({ bootstrapped, identities, expected }) => {
    expect(nextSteps(bootstrapped, identities)).toEqual(expected);
  });
});

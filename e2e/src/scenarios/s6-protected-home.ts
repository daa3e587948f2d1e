import { equal, match } from 'node:assert/strict';
import { eventually } from '../stage/eventually.js';
import { takesProduct, type Scenario } from './scenario.js';

/** S6: the workspace of dep-ctrl itself. */
export const protectedHome: readonly Scenario[] = [
  {
    id: 'S6.14',
    title:
      'a workspace of dep-ctrl that bootstrap protects is not deleted by kcp-admin and says the way out, other workspaces go, and after uninstall it goes',
    exclusive: takesProduct,
    run: async (world) => {
      const own = await world.second();
      const home = workspaceAt(own.product.path);
      try {
        const { vpc } = await own.guardedPair();
        const said = await own.product.bootstrap('--protect-workspace');
        equal(said.code, 0, said.stderr);

        const refused = await eventually('the workspace is protected', async () =>
          (await world.kcp.admin.delete(`${home}?dryRun=All`)).expect(403),
        );
        match(refused.body.message ?? '', /every rule of dep-ctrl would go with it: run "dep-ctrl uninstall" for this workspace first/);
        equal((await world.kcp.admin.delete(home)).status, 403);
        await own.refuses(vpc);
        const other = await world.kcp.workspace();
        (await world.kcp.admin.delete(workspaceAt(other.path))).expect(200);
        const status = await own.product.command('status', '--workspace', own.product.path);
        match(status.stdout, /^home +kcp refuses a delete of root:\S+ itself, until dep-ctrl uninstall$/m);

        await own.product.stop();
        const gone = await own.product.command('uninstall', '--yes', '--workspace', own.product.path);

        equal(gone.code, 0, gone.stdout + gone.stderr);
        match(gone.stdout, /^root: ValidatingAdmissionPolicy dep-ctrl-workspace-\S+ removed$/m);
        await eventually('the workspace may go', async () => void (await world.kcp.admin.delete(home)).expect(200));
      } finally {
        await own.product.stop();
        await world.product.bootstrap();
      }
    },
  },
];

/** The Workspace object of a workspace in root. */
function workspaceAt(path: string): string {
  return `/clusters/root/apis/tenancy.kcp.io/v1alpha1/workspaces/${path.slice('root:'.length)}`;
}

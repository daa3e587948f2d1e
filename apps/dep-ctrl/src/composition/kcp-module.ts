import { createRegistry } from '@dep-ctrl/rule-registry';
import { WorkspaceResolver } from '@dep-ctrl/workspace-resolver';
import { ContainerModule } from 'inversify';
import { RuleSource } from '../rules/rule-source.js';
import { Ground, Rules } from './tokens.js';

/** What both roles share: what they know of kcp's workspaces and of the rules in them. */
export const kcpModule = new ContainerModule(({ bind }) => {
  bind(Rules).toResolvedValue(() => new Rules(createRegistry()));
  bind(WorkspaceResolver).toResolvedValue(({ value: { connection } }) => new WorkspaceResolver({ connection }), [Ground]);
  bind(RuleSource).toResolvedValue(
    ({ value: { connection, home, clock, logger } }, { value: registry }, resolver) =>
      new RuleSource({
        connection,
        exportWorkspace: home.workspace,
        exportName: home.exportName,
        registry,
        resolver,
        clock,
        logger,
      }),
    [Ground, Rules, WorkspaceResolver],
  );
});

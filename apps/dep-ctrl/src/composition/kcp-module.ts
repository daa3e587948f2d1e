import { createRegistry } from '@dep-ctrl/rule-registry';
import { WorkspaceResolver } from '@dep-ctrl/workspace-resolver';
import { ContainerModule } from 'inversify';
import { LivePaths } from '../rules/live-paths.js';
import { RuleSource } from '../rules/rule-source.js';
import { Ground, Rules } from './tokens.js';

/** What both roles share: what they know of kcp's workspaces and of the rules in them. */
export const kcpModule = new ContainerModule(({ bind }) => {
  bind(LivePaths).toResolvedValue(() => new LivePaths());
  bind(Rules).toResolvedValue(() => new Rules(createRegistry()));
  bind(WorkspaceResolver).toResolvedValue(
    ({ value: { connection, clock } }, livePaths) =>
      new WorkspaceResolver({ connection, clock, liveMap: (path) => livePaths.clusterOf(path) }),
    [Ground, LivePaths],
  );
  bind(RuleSource).toResolvedValue(
    ({ value: { connection, home, clock, logger } }, { value: registry }, livePaths, resolver) =>
      new RuleSource({
        connection,
        exportWorkspace: home.workspace,
        exportName: home.exportName,
        registry,
        livePaths,
        resolver,
        clock,
        logger,
      }),
    [Ground, Rules, LivePaths, WorkspaceResolver],
  );
});

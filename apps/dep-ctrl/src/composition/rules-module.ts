import type { EndpointEvent } from '@dep-ctrl/kcp-client';
import { EventPace } from '@dep-ctrl/fair-shares';
import { ExportStores } from '@dep-ctrl/kcp-controller';
import { RULES, type RegistryWriter } from '@dep-ctrl/rule-registry';
import { PathHints, PathLookups, WorkspaceResolver } from '@dep-ctrl/workspace-resolver';
import { ContainerModule } from 'inversify';
import { AbsenceProofs } from '../rules/absence-proofs.js';
import { parseKept } from '../rules/kept-objects.js';
import { tellPaths } from '../rules/told-paths.js';
import { RegistryFeed } from '../rules/registry-feed.js';
import { RuleSource } from '../rules/rule-source.js';
import { SourceChanges } from '../rules/source-changes.js';
import { WatchedObjects } from '../rules/watched-objects.js';
import { RunningPart, type SharedParts } from './tokens.js';

/** The rules and the workspaces that they name, for both roles and for `explain`. */
export function rulesModule(shared: SharedParts, writer: RegistryWriter): ContainerModule {
  const { connection, home, registry: reader, clock, logger } = shared;
  const { exportName } = home;
  return new ContainerModule(({ bind }) => {
    bind(WorkspaceResolver).toResolvedValue(() => new WorkspaceResolver({ connection }));
    bind(PathHints).toResolvedValue(() => new PathHints());
    bind(SourceChanges).toResolvedValue(() => new SourceChanges());
    bind(ExportStores).toResolvedValue(() => {
      const gate = (handOn: (event: EndpointEvent) => void) => new EventPace({ clock, paced: RULES, handOn });
      return new ExportStores({ ...shared, ...home, parseLarge: parseKept, gate, keepsWithdrawn: true });
    });
    bind(WatchedObjects).toResolvedValue((stores) => new WatchedObjects(stores), [ExportStores]);
    bind(RegistryFeed).toResolvedValue(
      ({ bindings }, hints) => new RegistryFeed({ exportName, writer, reader, bindings, hints, logger }),
      [WatchedObjects, PathHints],
    );
    bind(PathLookups).toResolvedValue(
      (hints, resolver, changes) =>
        new PathLookups({
          names: reader,
          hints,
          resolver,
          clock,
          tell: tellPaths({ reader, writer, onChange: (touched) => changes.tell(touched) }),
        }),
      [PathHints, WorkspaceResolver, SourceChanges],
    );
    bind(AbsenceProofs).toResolvedValue(
      (seen, changes) => new AbsenceProofs({ ...shared, reader, writer, seen, onChange: (touched) => changes.tell(touched) }),
      [WatchedObjects, SourceChanges],
    );
    bind(RuleSource).toResolvedValue(
      (seen, stores, feed, lookups, proofs, changes) => new RuleSource({ seen, stores, feed, lookups, proofs, changes }),
      [WatchedObjects, ExportStores, RegistryFeed, PathLookups, AbsenceProofs, SourceChanges],
    );
    bind(RunningPart).toResolvedValue((source) => new RunningPart(source), [RuleSource]);
  });
}

import { ExportEndpoints } from '@dep-ctrl/kcp-client';
import type { RegistryWriter } from '@dep-ctrl/rule-registry';
import { PathHints, PathLookups, WorkspaceResolver } from '@dep-ctrl/workspace-resolver';
import { ContainerModule } from 'inversify';
import { AbsenceProofs } from '../rules/absence-proofs.js';
import { EndpointIntake } from '../rules/endpoint-intake.js';
import { keptOf, parseKept } from '../rules/kept-objects.js';
import { tellPaths } from '../rules/told-paths.js';
import { RegistryFeed } from '../rules/registry-feed.js';
import { RuleSource } from '../rules/rule-source.js';
import { SeenObjects } from '../rules/seen-objects.js';
import { SourceChanges } from '../rules/source-changes.js';
import { WATCHED_TYPES } from '../rules/watched-types.js';
import { RunningPart, type SharedParts } from './tokens.js';

/** The rules and the workspaces that they name, for both roles and for `explain`. */
export function rulesModule(shared: SharedParts, writer: RegistryWriter): ContainerModule {
  const { connection, home, registry: reader, clock, logger } = shared;
  const { exportName } = home;
  const types = Object.values(WATCHED_TYPES);
  return new ContainerModule(({ bind }) => {
    bind(WorkspaceResolver).toResolvedValue(() => new WorkspaceResolver({ connection }));
    bind(SeenObjects).toResolvedValue(() => new SeenObjects());
    bind(PathHints).toResolvedValue(() => new PathHints());
    bind(SourceChanges).toResolvedValue(() => new SourceChanges());
    bind(RegistryFeed).toResolvedValue(
      (seen, hints) => new RegistryFeed({ exportName, registry: writer, seen, hints, logger }),
      [SeenObjects, PathHints],
    );
    bind(EndpointIntake).toResolvedValue(
      (seen, feed, changes) => new EndpointIntake({ reader, writer, seen, feed, changes, clock }),
      [SeenObjects, RegistryFeed, SourceChanges],
    );
    bind(ExportEndpoints).toResolvedValue(
      (intake) =>
        new ExportEndpoints({ ...shared, ...home, types, keep: keptOf, parseLarge: parseKept, onEvent: (event) => intake.take(event) }),
      [EndpointIntake],
    );
    bind(PathLookups).toResolvedValue(
      (hints, resolver, changes) =>
        new PathLookups({
          names: reader,
          hints,
          resolver,
          clock,
          tell: tellPaths({ reader, writer, onChange: (what) => changes.tellTouched(what) }),
        }),
      [PathHints, WorkspaceResolver, SourceChanges],
    );
    bind(AbsenceProofs).toResolvedValue(
      (seen, changes) => new AbsenceProofs({ ...shared, reader, writer, seen, onChange: (what) => changes.tellTouched(what) }),
      [SeenObjects, SourceChanges],
    );
    bind(RuleSource).toResolvedValue(
      (seen, endpoints, intake, lookups, proofs, changes) => new RuleSource({ seen, endpoints, intake, lookups, proofs, changes }),
      [SeenObjects, ExportEndpoints, EndpointIntake, PathLookups, AbsenceProofs, SourceChanges],
    );
    bind(RunningPart).toResolvedValue((source) => new RunningPart(source), [RuleSource]);
  });
}

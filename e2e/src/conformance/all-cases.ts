import { absences } from './a-absences.js';
import { forgedPaths } from './a-forged-paths.js';
import { pathsAndErrors } from './a-paths-and-errors.js';
import { claims } from './b-claims.js';
import { forgedPathsInViews } from './b-forged-paths.js';
import { virtualWorkspace } from './b-virtual-workspace.js';
import { viewWrites } from './b-writes-and-watches.js';
import { bindings } from './c-bindings.js';
import { movedBindings } from './c-moved-bindings.js';
import { statuses } from './c-statuses.js';
import { workspaceTypes } from './c-workspace-types.js';
import { workspaces } from './c-workspaces.js';
import type { ConformanceCase } from './conformance-case.js';
import { webhookAnswers } from './d-answers.js';
import { conditionsOfWrites } from './d-conditions-of-writes.js';
import { webhookMatching } from './d-match-conditions.js';
import { webhooks } from './d-webhooks.js';
import { policies } from './d-policies.js';
import { webhooksOfWrites } from './d-writes.js';
import { lifecycleEntries } from './e-lifecycle-entries.js';
import { lifecyclePermissions } from './e-lifecycle-permissions.js';
import { teardown } from './e-teardown.js';
import { terminators } from './e-terminators.js';
import { identity } from './f-identity.js';
import { rightsOfOthers } from './f-rights-of-others.js';
import { badInput } from './g-bad-input.js';
import { definitions } from './g-definitions.js';
import { deletionMarks } from './g-deletion-marks.js';
import { lists } from './g-lists.js';
import { objects } from './g-objects.js';
import { oddRequests } from './g-odd-requests.js';
import { laterBounds } from './g-later-bounds.js';
import { patches } from './g-patches.js';
import { rules } from './g-rules.js';
import { schemas } from './g-schemas.js';
import { discovery } from './g-discovery.js';
import { tables } from './g-tables.js';
import { unknownFields } from './g-unknown-fields.js';
import { validationRules } from './g-validation-rules.js';
import { watches } from './g-watches.js';
import { kubectl } from './h-kubectl.js';

/** Every case, in the order of the table at the end of a run. */
export const ALL_CASES: readonly ConformanceCase[] = [
  ...pathsAndErrors,
  ...absences,
  ...forgedPaths,
  ...virtualWorkspace,
  ...claims,
  ...viewWrites,
  ...forgedPathsInViews,
  ...bindings,
  ...movedBindings,
  ...workspaces,
  ...workspaceTypes,
  ...statuses,
  ...webhooks,
  ...policies,
  ...webhookAnswers,
  ...webhookMatching,
  ...webhooksOfWrites,
  ...conditionsOfWrites,
  ...teardown,
  ...terminators,
  ...lifecyclePermissions,
  ...lifecycleEntries,
  ...identity,
  ...rightsOfOthers,
  ...objects,
  ...lists,
  ...tables,
  ...discovery,
  ...patches,
  ...watches,
  ...badInput,
  ...rules,
  ...schemas,
  ...laterBounds,
  ...validationRules,
  ...definitions,
  ...deletionMarks,
  ...oddRequests,
  ...unknownFields,
  ...kubectl,
];

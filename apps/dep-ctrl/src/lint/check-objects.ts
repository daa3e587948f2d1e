// Judges the objects of files with facts about them, and gives findings. Pure. The code that answers kcp's reviews judges an object; here each problem gets
// its place in the file.
import { apiVersionOf, printGroupResource, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { API_GROUP, API_KINDS, RULES, ruleInForce, type Rule } from '@dep-ctrl/rule-registry';
import type { ManifestObject, UnreadableText } from '../manifest-files/manifest-object.js';
import { UNPLACED, asHandedOut, type FileRule } from '../manifest-files/placed-rules.js';
import { describesTypes } from '../manifest-files/schema-files.js';
import {
  admittedPaths,
  guardProblems,
  nobodyAdmitted,
  ruleProblems,
  type RuleAdmissionInput,
} from '../webhook/rule-admission/decide-admission.js';
import { NOTHING_READ, type RuleReadings } from '../webhook/rule-admission/rule-readings.js';
import { doubtsOf } from '../webhook/rule-admission/rule-warnings.js';
import type { Finding, FindingReason, Level, PassedOver } from './finding.js';
import type { RuleFacts } from './rule-facts.js';
import { unknownFields } from './unknown-fields.js';

const [RULE_KIND, GUARD_KIND] = API_KINDS.map(({ names }) => names.kind);

/** The objects of files, by what lint does with them. */
export interface SortedObjects {
  readonly rules: readonly ManifestObject[];
  readonly guards: readonly ManifestObject[];
  /** Of the group of dep-ctrl, and of no kind that it has. */
  readonly misnamed: readonly ManifestObject[];
  readonly passedOver: readonly PassedOver[];
}

/** Sorts objects. One of a kind of ours in a group with a typo is one of ours. */
export function sortObjects(objects: readonly ManifestObject[]): SortedObjects {
  const rules: ManifestObject[] = [];
  const guards: ManifestObject[] = [];
  const misnamed: ManifestObject[] = [];
  const others = new Map<string, PassedOver>();
  for (const manifest of objects) {
    const { apiVersion, kind } = manifest;
    if (kind === RULE_KIND) rules.push(manifest);
    else if (kind === GUARD_KIND) guards.push(manifest);
    else if (apiVersion.split('/')[0] === API_GROUP) misnamed.push(manifest);
    else if (!describesTypes(manifest)) {
      const key = `${apiVersion}\n${kind}`;
      others.set(key, { apiVersion, kind, count: (others.get(key)?.count ?? 0) + 1 });
    }
  }
  return { rules, guards, misnamed, passedOver: [...others.values()] };
}

/** A part of a file that is no object. */
export function unreadableFinding({ file, region, message }: UnreadableText): Finding {
  const reason = message.startsWith('is no YAML') ? 'InvalidYaml' : 'NotAnObject';
  return { file, ...region, level: 'error', reason, path: '', message };
}

/** An object of the group of dep-ctrl that is neither rule nor guard. */
export function misnamedFinding(manifest: ManifestObject): Finding {
  const message = `expected "${String(RULE_KIND)}" or "${String(GUARD_KIND)}", found ${JSON.stringify(manifest.kind)}`;
  return findingIn(manifest, 'error', { reason: 'UnknownKind', path: '.kind', message });
}

/** What is wrong with a guard. */
export function guardFindings(manifest: ManifestObject): readonly Finding[] {
  const problems = guardProblems(asHandedOut(manifest, UNPLACED));
  return [...fieldFindings(manifest), ...problems.map((problem) => findingIn(manifest, 'error', problem))];
}

/** Workspaces that a guard admits, each with its place in the guard. Nothing of a guard that cannot be read. */
export function admittedBy(manifest: ManifestObject): readonly (readonly [path: WorkspacePath, place: string])[] {
  return admittedPaths(asHandedOut(manifest, UNPLACED)).map((path, index) => [path, `.spec.allowRulesFrom[${String(index)}]`]);
}

/** A path with a typo. */
export function unknownAuthor(manifest: ManifestObject, path: WorkspacePath, place: string): Finding {
  return findingIn(manifest, 'warning', { reason: 'AuthorNotBound', path: place, message: nobodyAdmitted(path) });
}

/** What a check of a rule rests on beside the rule. */
export interface RuleContext extends Pick<RuleAdmissionInput, 'excess'> {
  readonly facts: RuleFacts | undefined;
  readonly closesCycle: (index: number) => boolean;
  /** What to say of a dependent whose schema is not known; absent: fields are not to be checked. */
  readonly withoutSchema?: (rule: Rule) => string;
}

/** What is wrong with a rule, and what is doubtful. */
export function ruleFindings({ manifest, report }: FileRule, context: RuleContext): readonly Finding[] {
  const { excess, facts, withoutSchema } = context;
  const rule = ruleInForce(report);
  const readings = rule === undefined ? NOTHING_READ : readingsOf(rule, context);
  const problems = ruleProblems({ report, excess, readings }).map((problem) => findingIn(manifest, 'error', problem));
  const all = [...fieldFindings(manifest), ...problems];
  if (rule === undefined) return all;
  const doubts = doubtsOf(rule, readings, { mostWrongPaths: Infinity });
  all.push(...doubts.map(({ kind: reason, path, message }) => findingIn(manifest, levelOf(reason), { reason, path, message })));
  facts?.targets.forEach(({ wrong }, index) => {
    if (wrong !== undefined) all.push(findingIn(manifest, 'error', { ...wrong, path: `.spec.dependencies[${String(index)}]` }));
  });
  const unchecked = uncheckedDependent(rule, facts, withoutSchema);
  if (unchecked !== undefined) all.push(findingIn(manifest, 'warning', { ...unchecked, path: '.spec.dependent' }));
  return all;
}

/** A name that does not exist is a warning at the door alone: there its schema may come a moment later. Here the schema was given, or is in force. */
function levelOf(reason: FindingReason): Level {
  return reason === 'TypeCycle' || reason === 'TargetNotBound' || reason === 'NoPrinterColumn' ? 'warning' : 'error';
}

function readingsOf({ dependencies }: Rule, { facts, closesCycle }: RuleContext): RuleReadings {
  const dependent = facts?.dependent;
  const targets = dependencies.map(
    ({ index }) => [index, { ...facts?.targets.get(index)?.reading, ...(closesCycle(index) && { closesCycle: true }) }] as const,
  );
  return {
    ...(dependent !== undefined && dependent.state !== 'not-verified' && { dependent }),
    targets: new Map(targets),
  };
}

function uncheckedDependent(rule: Rule, facts: RuleFacts | undefined, withoutSchema: RuleContext['withoutSchema']) {
  const dependent = facts?.dependent;
  if (dependent?.state === 'not-verified') {
    return {
      reason: 'NotVerified',
      message: `the fields of ${printGroupResource(rule.dependent)} were not checked: ${dependent.problem}`,
    } as const;
  }
  if (dependent !== undefined || withoutSchema === undefined) return undefined;
  return { reason: 'SchemaNotFound', message: withoutSchema(rule) } as const;
}

/** The status is the controller's, and metadata kcp's. */
function fieldFindings(manifest: ManifestObject): readonly Finding[] {
  const { metadata: _metadata, status: _status, ...rest } = manifest.object;
  const schema = API_KINDS.find(({ names }) => names.kind === manifest.kind)?.schema;
  if (schema === undefined || manifest.apiVersion !== apiVersionOf(RULES)) return [];
  return unknownFields(rest, schema).map((field) => findingIn(manifest, 'error', { ...field, reason: 'UnknownField' }));
}

/** Something about an object, with its place in the file. */
export function findingIn(
  manifest: ManifestObject,
  level: Level,
  { reason, path, message }: Pick<Finding, 'reason' | 'path' | 'message'>,
): Finding {
  const { file, kind, name } = manifest;
  const region = manifest.regionOf(path, reason === 'UnknownField' ? 'name' : 'value');
  return { file, ...region, level, reason, object: [kind, name].filter((part) => part !== '').join(' '), path, message };
}

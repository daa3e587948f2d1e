// What is said of a rule that is refused or warned about when it is written: the texts are those of the check itself, for a rule that has exactly
// that wrong. A reason without an entry does not compile.
import { logicalCluster, type KubeObject } from '@dep-ctrl/kcp-names';
import { MOST_DEPENDENCIES, MOST_NAMED, MOST_RULES, reportRule, ruleInForce, type QuotaExcess } from '@dep-ctrl/rule-registry';
import { admissionAnswer, decideRule, doubtsOf, type AdmissionProblem, type RuleDoubt, type RuleReadings } from '../app-sources.js';
import { VM_RULE } from '../example-objects.js';
import type { Told } from './refused-deletes.js';
import { locateSchema } from '@dep-ctrl/exported-types';

type Reason = AdmissionProblem['reason'];
type Words = Pick<Told, 'means' | 'fix'>;

/** With the reasons that the check gave: exactly the one that the text stands for. */
export interface ToldFor extends Told {
  readonly reasons: readonly string[];
}

const NAME = 'vm-dependencies';
const NOTHING_READ: RuleReadings = { targets: new Map() };

/** Refusals of a rule, by reason. */
export function refusedWrites(): Readonly<Record<Reason, ToldFor>> {
  const [dependency] = VM_RULE.spec.dependencies;
  const { apiExportRef, fieldRef } = dependency ?? raise('the rule of the story has no dependency');
  const withDependency = (change: object): unknown => ({ ...VM_RULE.spec, dependencies: [{ ...dependency, ...change }] });
  const dependencies = (count: number): unknown => ({
    ...VM_RULE.spec,
    dependencies: Array.from({ length: count }, (_, at) => ({ ...dependency, resource: `vpcs${String(at)}` })),
  });
  return {
    Invalid: refused(withDependency({ fieldRef: { path: '.spec..name' } }), {
      means: 'A field has no value, or one that cannot be read.',
      fix: 'Correct the field that the text begins with.',
    }),
    OverBound: refused(dependencies(MOST_DEPENDENCIES + 1), {
      means: 'The rule says more than one rule may.',
      fix: 'Split it into several rules.',
    }),
    BuiltInType: refused(withDependency({ group: 'rbac.authorization.k8s.io', resource: 'clusterroles' }), {
      means: 'The type is of kcp itself. No APIExport serves it, so kcp asks no webhook of ours about it.',
      fix: 'Name a type that an APIExport serves.',
    }),
    UnpairedPaths: refused(withDependency({ fieldRef: { path: '.spec.vpcs[*].name', namespacePath: '.spec.nets[*].namespace' } }), {
      means: 'A name in an array would have several namespaces.',
      fix: 'Write each `[*]` of `namespacePath` where `path` has one, with the same fields before it.',
    }),
    ImpossiblePath: refused(withDependency({ apiExportRef: { ...apiExportRef, path: 'root:providers:network-' } }), {
      means: 'No workspace can have such a path.',
      fix: 'Correct the path.',
    }),
    DuplicateDependency: refused(
      { ...VM_RULE.spec, dependencies: [dependency, dependency] },
      { means: 'Two entries say the same.', fix: 'Remove one, or correct it.' },
    ),
    MeaninglessNamespace: refused(
      withDependency({ fieldRef: { ...fieldRef, namespacePath: '.spec.vpcRef.namespace' } }),
      { means: 'The type that is referred to is cluster-scoped.', fix: 'Remove `namespacePath`.' },
      { readings: { targets: new Map([[0, { isClusterScoped: true }]]) } },
    ),
    OverQuota: refused(
      VM_RULE.spec,
      {
        means: `At most ${String(MOST_RULES)} rules of one workspace are in force, and they name at most ${String(MOST_NAMED)} workspaces together.`,
        fix: 'Delete a rule, or put more dependencies into one; name fewer workspaces.',
      },
      { excess: { of: 'rules', count: MOST_RULES } },
    ),
  };
}

/** Warnings of a rule that is taken, by kind. */
export function warnedWrites(): Readonly<Record<RuleDoubt['kind'], ToldFor>> {
  return {
    TypeCycle: warned(
      { targets: new Map([[0, { closesCycle: true }]]) },
      {
        means: 'Types refer to each other in a circle, so their objects can keep each other.',
        fix: 'Give one of the rules `enforcement: Warn`, or clear a reference before deleting.',
      },
    ),
    TargetNotBound: warned(
      { targets: new Map([[0, { isBound: false }]]) },
      {
        means: 'No workspace at the path binds dep-ctrl. It says the same whether there is such a workspace or not.',
        fix: 'Correct the path, or have its owner bind dep-ctrl.',
      },
    ),
    NoPrinterColumn: warned(schemaWith({ columns: [] }), {
      means: 'Deletes are checked, at a higher price: whole objects are listed.',
      fix: 'Add the column of the text to the next schema of the type.',
    }),
    ExportNotFound: warned(notExported([]), {
      means: 'The APIExport of the dependent does not exist in the workspace of the rule.',
      fix: 'Correct `apiExportName`.',
    }),
    ResourceNotExported: warned(notExported([EXPORT]), {
      means: 'The APIExport of the dependent does not serve that group and resource.',
      fix: 'Correct `group` or `resource`, which is the plural.',
    }),
    VersionNotServed: warned(schemaWith({ version: 'v1beta1' }), {
      means: 'The schema of the dependent does not serve the version that the rule names.',
      fix: 'Name a version that is served.',
    }),
    KindNotServed: warned(schemaWith({ kind: 'Machine' }), {
      means: 'The resource has another kind than the rule says.',
      fix: 'Correct `kind`.',
    }),
    FieldNotFound: warned(schemaWith({ field: 'networkRef' }), {
      means: 'The schema of the dependent has no such field, so the rule would find nobody.',
      fix: 'Correct the path.',
    }),
    FieldNotAString: warned(schemaWith({ type: 'integer' }), {
      means: 'The field is not a text, so the rule would find nobody.',
      fix: 'Name the field that holds the name.',
    }),
  };
}

const EXPORT: KubeObject = {
  apiVersion: 'apis.kcp.io/v1alpha2',
  kind: 'APIExport',
  metadata: { name: 'compute.example.com' },
  spec: { resources: [{ group: 'compute.example.com', name: 'disks', schema: 'today.disks.compute.example.com' }] },
};

/** What is read of a workspace with these exports. */
function notExported(exports: readonly KubeObject[]): RuleReadings {
  const { apiExportName, group, version, kind, resource } = VM_RULE.spec.dependent;
  const named = { exportName: apiExportName, group, version, kind, resource, workspace: 'this workspace', isOwn: true };
  const dependent = locateSchema(exports, named);
  return dependent.state === 'located' ? raise('bug: it is exported') : { dependent, targets: new Map() };
}

/** The schema of the dependent, right but for what is changed. */
function schemaWith({
  version = 'v1alpha1',
  kind = 'VirtualMachine',
  field = 'vpcRef',
  type = 'string',
  columns = [{ name: 'vpc', type: 'string', jsonPath: '.spec.vpcRef.name' }],
}: {
  readonly version?: string;
  readonly kind?: string;
  readonly field?: string;
  readonly type?: string;
  readonly columns?: readonly object[];
}): RuleReadings {
  const reference = { type: 'object', properties: { name: { type } } };
  const schema = { type: 'object', properties: { spec: { type: 'object', properties: { [field]: reference } } } };
  const { group, resource } = VM_RULE.spec.dependent;
  const object = {
    apiVersion: 'apis.kcp.io/v1alpha1',
    kind: 'APIResourceSchema',
    metadata: { name: `today.${resource}.${group}`, uid: 'uid' },
    spec: {
      group,
      names: { kind, plural: resource },
      scope: 'Namespaced',
      versions: [{ name: version, served: true, storage: true, schema, additionalPrinterColumns: columns }],
    },
  };
  return { dependent: { state: 'found', schema: object }, targets: new Map() };
}

/** The refusal of a rule with this spec, which has to be for one reason. */
function refused(
  spec: unknown,
  words: Words,
  { readings = NOTHING_READ, excess }: { readonly readings?: RuleReadings; readonly excess?: QuotaExcess } = {},
): ToldFor {
  const decision = decideRule({ report: reportOf(spec), excess, readings });
  const answer = admissionAnswer(decision, { kind: 'rule', name: NAME });
  if (answer.allowed || decision.verdict === 'admit') throw new Error('bug: a rule of the catalogue is not refused');
  const { code, reason, message } = answer.status;
  return { text: message, status: `${String(code)} ${reason}`, reasons: decision.problems.map((problem) => problem.reason), ...words };
}

function warned(readings: RuleReadings, words: Words): ToldFor {
  const rule = ruleInForce(reportOf(VM_RULE.spec)) ?? raise('bug: the rule of the story is not in force');
  const doubts = doubtsOf(rule, readings, { mostWrongPaths: 1 });
  const text = doubts.map(({ path, message }) => `${path}: ${message}`).join('\n');
  return { text, status: undefined, reasons: doubts.map(({ kind }) => kind), ...words };
}

function reportOf(spec: unknown): ReturnType<typeof reportRule> {
  const cluster = logicalCluster('compute');
  const metadata = { ...VM_RULE.metadata, annotations: { 'kcp.io/cluster': cluster }, uid: 'uid', generation: 1 };
  return reportRule(cluster, { ...VM_RULE, metadata, spec });
}

function raise(problem: string): never {
  throw new Error(problem);
}

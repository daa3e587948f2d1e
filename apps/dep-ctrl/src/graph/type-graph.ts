// The graph of types and their references at one moment. Pure; mermaid.ts, dot.ts and svg.ts draw it.
import { printGroupResource, type GroupResource } from '@dep-ctrl/kcp-names';
import type { Enforcement, PathAnswers, Rule, RuleDependency, TypeNode } from '@dep-ctrl/rule-registry';
import { cyclesAmong, dependencyNode, dependentNode, nodeKey } from '../lint/closing-dependencies.js';
import { compareText } from '@dep-ctrl/kcp-names';

/** A rule to draw. */
export interface DrawnRule {
  readonly rule: Rule;
  /** Whether kcp asks for the sake of one of its dependencies; undefined: not known. */
  readonly isInForce: (dependency: RuleDependency) => boolean | undefined;
}

/** The whole picture. */
export interface TypeGraph {
  /** Sorted by workspace and name. */
  readonly types: readonly GraphType[];
  readonly references: readonly GraphReference[];
  /** The ids of types that refer to each other in a circle. */
  readonly cycles: readonly (readonly string[])[];
}

/** One type. */
export interface GraphType extends GroupResource {
  readonly id: string;
  /** For people: its path, where that is known. */
  readonly workspace: string;
  readonly inCycle: boolean;
}

/** One field of one type that refers to another. */
export interface GraphReference {
  /** Ids of types: the dependent, and what it refers to. */
  readonly from: string;
  readonly to: string;
  readonly rule: { readonly workspace: string; readonly name: string };
  readonly fieldPath: string;
  readonly namespacePath?: string;
  readonly enforcement: Enforcement;
  readonly inCycle: boolean;
  /** Absent: not known. */
  readonly inForce?: boolean;
}

/** Where the rules live, and how to name that. */
export interface Places {
  readonly paths: PathAnswers;
  /** For people. A node of an unresolved path carries the path. */
  readonly workspaceOf: (workspace: string) => string;
}

/** The graph of rules, whatever their order. */
export function typeGraph(drawn: readonly DrawnRule[], { paths, workspaceOf }: Places): TypeGraph {
  const { cycles, closes } = cyclesAmong(
    drawn.map(({ rule }) => rule),
    paths,
  );
  const inCycle = new Set(cycles.flatMap(({ types }) => types.map(nodeKey)));
  const nodes = new Map<string, TypeNode>();
  for (const { rule } of drawn) {
    for (const node of [dependentNode(rule), ...rule.dependencies.map((each) => dependencyNode(each, paths))])
      nodes.set(nodeKey(node), node);
  }
  const named = [...nodes].map(([key, { workspace, group, resource }]) => ({ key, workspace: workspaceOf(workspace), group, resource }));
  const sorted = named.toSorted(
    (a, b) =>
      compareText(a.workspace, b.workspace) || compareText(printGroupResource(a), printGroupResource(b)) || compareText(a.key, b.key),
  );
  const idOf = new Map(sorted.map(({ key }, at) => [key, `t${String(at)}`]));
  const id = (node: TypeNode): string => idOf.get(nodeKey(node)) ?? '';
  const references = drawn.flatMap(({ rule, isInForce }) =>
    rule.dependencies.map((dependency): GraphReference => {
      const inForce = isInForce(dependency);
      return {
        from: id(dependentNode(rule)),
        to: id(dependencyNode(dependency, paths)),
        rule: { workspace: workspaceOf(rule.cluster), name: rule.name },
        fieldPath: dependency.fieldPath.text,
        ...(dependency.namespacePath !== undefined && { namespacePath: dependency.namespacePath.text }),
        enforcement: rule.enforcement,
        inCycle: closes(rule, dependency.index),
        ...(inForce !== undefined && { inForce }),
      };
    }),
  );
  return {
    types: sorted.map(({ key, ...type }) => ({ id: idOf.get(key) ?? '', ...type, inCycle: inCycle.has(key) })),
    references: unique(references).toSorted(compareReferences),
    cycles: cycles.map(({ types }) => types.map(id)).toSorted((a, b) => numberOf(a[0]) - numberOf(b[0])),
  };
}

/** References between the same two types: one arrow. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly references: readonly GraphReference[];
  readonly inCycle: boolean;
  /** Whether none of them is in force, as far as that is known. */
  readonly isIdle: boolean;
}

/** The arrows of a picture. */
export function arrowsOf({ references }: TypeGraph): readonly Arrow[] {
  const arrows = new Map<string, readonly [GraphReference, ...GraphReference[]]>();
  for (const reference of references) {
    const key = `${reference.from} ${reference.to}`;
    const before = arrows.get(key);
    arrows.set(key, before === undefined ? [reference] : [...before, reference]);
  }
  return [...arrows.values()].map((references) => {
    const [{ from, to, inCycle }] = references;
    return { from, to, references, inCycle, isIdle: references.every(({ inForce }) => inForce === false) };
  });
}

// A label of more lines hides what is below it.
const MOST_LINES = 3;

/** What is written on an arrow: each field once. */
export function labelLines({ references }: Arrow): readonly string[] {
  const lines = [...new Set(references.map(labelOf))];
  if (lines.length <= MOST_LINES) return lines;
  return [...lines.slice(0, MOST_LINES - 1), `and ${String(lines.length - MOST_LINES + 1)} more`];
}

function labelOf({ fieldPath, enforcement }: GraphReference): string {
  return enforcement === 'Deny' ? fieldPath : `${fieldPath} (${enforcement})`;
}

/** Of one file in several folders a reference comes more than once. */
function unique(references: readonly GraphReference[]): readonly GraphReference[] {
  return [...new Map(references.map((each) => [JSON.stringify(each), each])).values()];
}

function compareReferences(a: GraphReference, b: GraphReference): number {
  return (
    numberOf(a.from) - numberOf(b.from) ||
    numberOf(a.to) - numberOf(b.to) ||
    compareText(a.fieldPath, b.fieldPath) ||
    compareText(JSON.stringify(a), JSON.stringify(b))
  );
}

function numberOf(id: string | undefined): number {
  return Number(id?.slice(1) ?? 0);
}

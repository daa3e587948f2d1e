// Facts about rules beside their text, from files, from a kcp, or from both. The webhook's own code judges them.
import type { WorkspacePath } from '@dep-ctrl/kcp-names';
import type { Rule, RuleDependency } from '@dep-ctrl/rule-registry';
import type { FoundSchema } from '@dep-ctrl/exported-types';
import { verifySchema, type WrongReason } from '@dep-ctrl/exported-types';
import type { TargetReading } from '../webhook/rule-admission/rule-readings.js';

/** A source of schemas and workspaces. Undefined or absent: not known, so no finding. */
export interface FactSource {
  /** The schema of the dependent, which lives where the rule does. */
  dependent(rule: Rule): Promise<FoundSchema | undefined>;
  /** The schema of a target. */
  target(dependency: RuleDependency): Promise<FoundSchema | undefined>;
  /** Whether a workspace at a path binds dep-ctrl. */
  isBound(path: WorkspacePath): Promise<boolean | undefined>;
}

/** What was found out about one rule. */
export interface RuleFacts {
  readonly dependent: FoundSchema | undefined;
  /** By the position of the dependency in the rule. */
  readonly targets: ReadonlyMap<number, TargetFacts>;
}

/** What was found out about one target. */
export interface TargetFacts {
  readonly reading: Omit<TargetReading, 'closesCycle'>;
  /** What does not exist of what the rule names there. */
  readonly wrong?: { readonly reason: WrongReason; readonly message: string };
}

/** Asks the sources in order, until one knows the fact. */
export async function factsAbout(rule: Rule, sources: readonly FactSource[]): Promise<RuleFacts> {
  const targets = new Map<number, TargetFacts>();
  for (const dependency of rule.dependencies) {
    const schema = await first(sources, (source) => source.target(dependency));
    const isBound = await first(sources, (source) => source.isBound(dependency.export.path));
    targets.set(dependency.index, targetFacts(dependency, schema, isBound));
  }
  return { dependent: await first(sources, (source) => source.dependent(rule)), targets };
}

/** A user who may read the target may also be told about it. */
function targetFacts(dependency: RuleDependency, schema: FoundSchema | undefined, isBound: boolean | undefined): TargetFacts {
  const reading = isBound === undefined ? {} : { isBound };
  if (schema?.state === 'not-exported') return { reading, wrong: schema };
  if (schema?.state !== 'found') return { reading };
  const verified = verifySchema(schema.schema, { ...dependency, isOwn: true }, []);
  if (verified.state === 'wrong') return { reading, wrong: verified };
  return { reading: { ...reading, isClusterScoped: verified.state === 'verified' && verified.isClusterScoped === true } };
}

async function first<T>(sources: readonly FactSource[], ask: (source: FactSource) => Promise<T | undefined>): Promise<T | undefined> {
  for (const source of sources) {
    const answer = await ask(source);
    if (answer !== undefined) return answer;
  }
  return undefined;
}

// `dep-ctrl graph`: types, rules and circles as a picture, from files or from a kcp. Reads only.
import { systemClock, type Clock } from '@dep-ctrl/kcp-client';
import { parseLogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { isRejected, ruleInForce, type RegistryReader, type RuleReport } from '@dep-ctrl/rule-registry';
import type { World } from '@dep-ctrl/command-settings';
import { connectAnswering, type ConnectionSettings } from '../command-line/connect.js';
import { rehearseReviews } from '../explain/rehearse-reviews.js';
import { sortObjects } from '../lint/check-objects.js';
import { readManifest } from '../manifest-files/manifest-object.js';
import { UNPLACED, placeRules, readFileRule } from '../manifest-files/placed-rules.js';
import { readSources } from '../manifest-files/source-text.js';
import type { SeenObjects } from '../rules/watched-objects.js';
import { loggerFor } from '../telemetry/logger-for.js';
import type { LogFormat, LogLevel } from '../telemetry/winston-logger.js';
import { dot } from './dot.js';
import { mermaid } from './mermaid.js';
import { svg } from './svg.js';
import { isTargetInForce } from '../own-objects/in-force.js';
import { arrowsOf, typeGraph, type DrawnRule, type TypeGraph } from './type-graph.js';

/** The settings of `graph`. */
export interface GraphSettings extends ConnectionSettings {
  /** Without any the rules of a kcp are drawn. */
  readonly files: readonly string[];
  /** The workspace that rules of files live in. */
  readonly workspace: WorkspacePath | undefined;
  readonly depCtrlWorkspace: WorkspacePath;
  readonly output: 'mermaid' | 'dot' | 'json' | 'svg';
  readonly logFormat: LogFormat | undefined;
  readonly logLevel: LogLevel | undefined;
}

// Laying out more takes minutes, in which the process does not even hear Ctrl-C: 800 arrows took eight seconds.
const MOST_LAID_OUT = 1_000;

/** Prints the picture. */
export async function runGraph(
  settings: GraphSettings,
  world: World,
  { clock }: { readonly clock: Clock } = { clock: systemClock },
): Promise<void> {
  const graph = settings.files.length > 0 ? await graphOfFiles(settings, world) : await graphOfKcp(settings, world, clock);
  if (graph.types.length === 0) world.stderr.write('warning: there is no rule to draw\n');
  world.stdout.write(await drawn(graph, settings.output));
}

async function drawn(graph: TypeGraph, output: GraphSettings['output']): Promise<string> {
  switch (output) {
    case 'json':
      return `${JSON.stringify(graph, undefined, 2)}\n`;
    case 'dot':
      return dot(graph);
    case 'svg': {
      const { length } = arrowsOf(graph);
      if (length <= MOST_LAID_OUT) return svg(graph);
      throw new Error(
        `${length} arrows are too many to lay out, of which -o svg does ${MOST_LAID_OUT}: use -o dot and Graphviz, or FILE with fewer rules`,
      );
    }
    case 'mermaid':
      return mermaid(graph);
    default:
      return output satisfies never;
  }
}

async function graphOfFiles({ files, workspace }: GraphSettings, world: World): Promise<TypeGraph> {
  const manifests = (await readSources(files, 'FILE', world)).map(readManifest);
  const [unreadable] = manifests.flatMap((manifest) => manifest.unreadable);
  if (unreadable !== undefined) {
    const { file, region, message } = unreadable;
    throw new Error(`${file}:${region.line}:${region.column}: ${message}`);
  }
  const { rules } = sortObjects(manifests.flatMap(({ objects }) => objects));
  const fileRules = rules.map((manifest) => readFileRule(manifest, UNPLACED));
  const broken = fileRules.filter(({ report }) => isRejected(report)).length;
  if (broken > 0) world.stderr.write(`warning: ${broken} of ${rules.length} rules have problems: dep-ctrl lint says which\n`);
  const placed = placeRules(fileRules, workspace);
  const all = placed.rules.map(({ manifest, rule }): DrawnRule => ({
    rule,
    isInForce: (dependency) => isTargetInForce(manifest.object, dependency),
  }));
  const workspaceOf = (text: string): string => {
    const cluster = parseLogicalClusterName(text);
    if (!cluster.ok) return text;
    const label = placed.workspaceOf(cluster.value);
    return 'path' in label ? label.path : `workspace of export ${label.exportName}`;
  };
  return typeGraph(all, { paths: placed.paths, workspaceOf });
}

async function graphOfKcp(settings: GraphSettings, world: World, clock: Clock): Promise<TypeGraph> {
  const connection = await connectAnswering(settings, world);
  const means = { depCtrlWorkspace: settings.depCtrlWorkspace, clock, logger: loggerFor(settings, world, 'error'), signal: world.signal };
  try {
    return await rehearseReviews(connection, means, ({ rules, seen }) => Promise.resolve(graphOfRules(rules, seen)));
  } finally {
    await connection.close();
  }
}

/** Every rule that can be read, those too that are not in force. */
export function graphOfRules(registry: RegistryReader, seen: Pick<SeenObjects, 'get'>): TypeGraph {
  const { rules, overQuota, paths } = registry.snapshot();
  const surplus = overQuota.flatMap((key) => inForceOf(registry.rule(key)) ?? []);
  const all = [...rules, ...surplus].map((rule): DrawnRule => {
    const object = seen.get(rule)?.value ?? {};
    return { rule, isInForce: (dependency) => isTargetInForce(object, dependency) };
  });
  const workspaceOf = (text: string): string => {
    const cluster = parseLogicalClusterName(text);
    return (cluster.ok ? paths.pathOf(cluster.value) : undefined) ?? text;
  };
  return typeGraph(all, { paths, workspaceOf });
}

function inForceOf(report: RuleReport | undefined) {
  return report && ruleInForce(report);
}

// Each view: what is asked becomes what is read, and that becomes a page.
import type { Clock, Connection } from '@dep-ctrl/kcp-client';
import {
  notParsed,
  parseLogicalClusterName,
  parseWorkspacePath,
  printGroupResource,
  type LogicalClusterName,
  type Parsed,
  type WorkspacePath,
} from '@dep-ctrl/kcp-names';
import { describeFailure, parseResourceName } from '@dep-ctrl/command-settings';
import { inside, LOGICAL_CLUSTERS } from '@dep-ctrl/kcp-objects';
import { withCheck, withContent } from '../explain/explanation.js';
import { findHeld } from '../explain/find-held.js';
import { findSubject } from '../explain/find-subject.js';
import { referenceChain } from '../explain/reference-chain.js';
import type { Rehearsal } from '../explain/rehearse-reviews.js';
import { readTeardown, withNextTry } from '../explain/teardown.js';
import { graphOfRules } from '../graph/run-graph.js';
import type { StatusView } from '../status/status-view.js';
import type { Asked, MakePage } from './console-server.js';
import { decisionsPage } from './pages/decisions-page.js';
import { deletePage, type DeleteQuestion, type ToldDelete } from './pages/delete-page.js';
import { namesOf, typesIn } from './pages/find-objects.js';
import { graphPage } from './pages/graph-page.js';
import { html } from './pages/html.js';
import type { LiveRules, NotAnswered } from './live-rules.js';
import { problem, type Page, type View } from './pages/page.js';
import type { FeedReader } from './read-feed.js';
import { rulesPage } from './pages/rules-page.js';
import { statusPage } from './pages/status-page.js';
import { teardownPage, type ToldTeardown } from './pages/teardown-page.js';

/** What the views are made from. */
export interface ViewSources {
  readonly connection: Connection;
  /** Of the commands that are shown: how to reach this kcp. */
  readonly flags: readonly string[];
  readonly rules: LiveRules;
  readonly clock: Clock;
  readonly feed: FeedReader;
  readonly readStatus: (signal: AbortSignal) => Promise<{ readonly view: StatusView; readonly wrong: string }>;
}

/** All views. */
export function viewsOf(sources: ViewSources): Readonly<Record<View, MakePage>> {
  const { rules, feed, readStatus } = sources;
  return {
    './': async (_asked, signal) => statusPage(await readStatus(signal)),
    rules: async ({ search = '', show }, signal) => {
      const { view } = await readStatus(signal);
      return rulesPage(view, { search, show: show === 'not-well' ? show : 'all' });
    },
    graph: async ({ of = '', search = '', hops = '2', size }, signal) => {
      const graph = await rules.ask(({ rules: known, seen }) => Promise.resolve(graphOfRules(known, seen)), signal);
      if (graph.state !== 'answered') return waiting('graph', 'Graph', graph);
      return graphPage(graph.value, {
        of,
        search,
        hops: Math.min(3, Math.max(1, Number(hops) || 2)),
        size: size === 'fit' || size === 'full' ? size : undefined,
      });
    },
    decisions: async ({ search = '', verdict }, signal) =>
      decisionsPage(await feed.read({ signal }), { search, verdict: verdict === 'deny' || verdict === 'allow' ? verdict : 'all' }),
    delete: (asked, signal) => deleteView(sources, asked, signal),
    teardown: (asked, signal) => teardownView(sources, asked, signal),
  };
}

// While the rules are read for the first time.
const LOOK_AGAIN_SECONDS = 1;
const TRY_AGAIN_SECONDS = 5;

function waiting(view: View, title: string, answer: NotAnswered): Page {
  if (answer.state === 'failed') {
    const why = `The rules cannot be read: ${answer.why}`;
    return { view, title, summary: why, content: problem(why), everySeconds: TRY_AGAIN_SECONDS };
  }
  const text = 'The rules are being read.';
  return { view, title, summary: text, content: html`<p>${text}</p>`, everySeconds: LOOK_AGAIN_SECONDS };
}

type Workspace = LogicalClusterName | WorkspacePath;

/** A path, or the name of a logical cluster, as the feed gives it. */
function parseWorkspace(text: string): Parsed<Workspace> {
  const path = parseWorkspacePath(text);
  if (path.ok) return path;
  const cluster = parseLogicalClusterName(text);
  return cluster.ok ? cluster : notParsed(`Workspace must be a path such as "root:teams:team-a", not ${JSON.stringify(text)}`);
}

async function deleteView(sources: ViewSources, asked: Asked, signal: AbortSignal): Promise<Page> {
  const { workspace = '', object = '', namespace = '', type = '', search = '' } = asked;
  const question: DeleteQuestion = { workspace, object, namespace, type, search };
  if (workspace === '') return deletePage(question, { state: 'not-asked' });
  const path = parseWorkspace(workspace);
  if (!path.ok) return deletePage(question, { state: 'failed', why: path.problem });
  try {
    const answer = await sources.rules.ask((rehearsal) => tellDelete(sources, { ...question, path: path.value }, rehearsal), signal);
    if (answer.state !== 'answered') return waiting('delete', 'What if I delete', answer);
    return deletePage(question, answer.value);
  } catch (error) {
    return deletePage(question, { state: 'failed', why: describeFailure(error) });
  }
}

async function tellDelete(
  { connection, flags }: ViewSources,
  { path, object, namespace, type, search }: DeleteQuestion & { readonly path: Workspace },
  rehearsal: Rehearsal,
): Promise<ToldDelete> {
  if (object === '') {
    const types = await typesIn(connection, path, rehearsal);
    const chosen = types.find((each) => printGroupResource(each) === type);
    if (chosen !== undefined)
      return { state: 'names', names: await namesOf(connection, path, chosen, { search, signal: rehearsal.signal }) };
    const { rules } = rehearsal.rules.snapshot();
    return { state: 'types', types, guarded: new Set(rules.flatMap((rule) => rule.dependencies.map(printGroupResource))) };
  }
  const named = parseResourceName(object);
  if (!named.ok) return { state: 'failed', why: `Object must be ${named.problem}, not ${JSON.stringify(object)}` };
  const query = { ...named.value, namespace: namespace === '' ? 'default' : namespace };
  const found = await findSubject(connection, { path, by: 'that was asked for' }, query, rehearsal);
  const chain = await referenceChain(connection, path, found, rehearsal);
  const explanation = withCheck(withContent(chain.explanation, found), found, { baseUrl: connection.baseUrl, flags });
  return { state: 'told', chain: { ...chain, explanation } };
}

// Of each type as many as a person reads, and in the time that a person waits: each takes a review.
const LOOK_AT = 20;
const LOOK_MS = 8_000;

async function teardownView({ connection, rules, clock }: ViewSources, { workspace = '' }: Asked, signal: AbortSignal): Promise<Page> {
  if (workspace === '') return teardownPage(workspace, { state: 'not-asked' });
  const parsed = parseWorkspace(workspace);
  if (!parsed.ok) return teardownPage(workspace, { state: 'failed', why: parsed.problem });
  const path = parsed.value;
  try {
    const answer = await rules.ask(async (rehearsal): Promise<ToldTeardown> => {
      const read = () => connection.cluster(path).get(LOGICAL_CLUSTERS, { name: 'cluster' }, rehearsal);
      const logicalCluster = await inside(connection, { path, by: 'that was asked for' }, read, rehearsal);
      const begunMs = clock.monotonic();
      const thoroughness = { ofEach: LOOK_AT, isEnough: () => clock.monotonic() - begunMs > LOOK_MS };
      const found = await findHeld(connection, path, rehearsal, thoroughness);
      return { state: 'told', teardown: withNextTry({ ...readTeardown(logicalCluster, path), ...found }, clock.now()) };
    }, signal);
    if (answer.state !== 'answered') return waiting('teardown', 'Teardown', answer);
    return teardownPage(workspace, answer.value);
  } catch (error) {
    return teardownPage(workspace, { state: 'failed', why: describeFailure(error) });
  }
}

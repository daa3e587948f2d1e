// Which types refer to which: a picture where it can be read, and always the same as a table. Pure.
import { printGroupResource } from '@dep-ctrl/kcp-names';
import { partOfGraph, typeName, type GraphQuestion } from '../../graph/part-of-graph.js';
import { svg } from '../../graph/svg.js';
import { arrowsOf, type GraphReference, type GraphType, type TypeGraph } from '../../graph/type-graph.js';
import { address, breakable, html, trusted, type Html } from './html.js';
import { choice, form, state, table, type Page } from './page.js';

// Beyond that a picture is wider than anybody reads.
const MOST_DRAWN = 60;
// Laying out holds up this process, each time that the page is looked at: of 60 types 200 arrows about a second, 400 two and a half, and all 3540 more than 20.
const MOST_ARROWS = 200;
// Beyond that the fields stand in the table alone.
const MOST_LABELLED = 15;
const EVERY_SECONDS = 10;

/** What is asked of the page. */
export interface GraphPageQuestion extends GraphQuestion {
  /** `fit`: as wide as the page, for a look at the whole; without it that where the picture is large. */
  readonly size: 'fit' | 'full' | undefined;
}

/** The page. */
export async function graphPage(graph: TypeGraph, question: GraphPageQuestion): Promise<Page> {
  const { found, graph: part, chosen } = partOfGraph(graph, question);
  const drawn = drawable(part, chosen);
  const isDrawn = drawn !== undefined;
  const isBare = part.types.length > MOST_LABELLED;
  const size = question.size ?? (isBare ? 'fit' : 'full');
  const linkTo = (type: GraphType): string => address('graph', { of: typeName(type), hops: String(question.hops) });
  const picture = isDrawn ? trusted(await svg(drawn, { linkTo, chosen: chosen?.id, isBare })) : undefined;
  const nameOf = new Map(part.types.map((type) => [type.id, type]));
  const summary = `${count(graph.types.length, 'type')}, ${count(graph.references.length, 'reference')}, ${count(graph.cycles.length, 'circle')}.`;
  return {
    view: 'graph',
    title: 'Graph',
    everySeconds: EVERY_SECONDS,
    summary,
    fixed: formFor({ ...question, size }),
    content: html` <p>${summary} ${told(question, { found, part, chosen, drawn })}</p>
      ${
        picture === undefined
          ? undefined
          : html`<div class="picture ${size}" tabindex="0" role="region" aria-label="Picture of the graph; the table below says the same">
                ${picture}
              </div>
              <p class="hint">An arrow: refers to. Red, &#8635;: in a circle. Dashed: not in force.</p>`
      }
      ${table(
        'References',
        part.references,
        [
          { name: 'Dependent', cell: ({ from }) => typeLink(nameOf.get(from), linkTo) },
          { name: 'Refers to', cell: ({ to }) => typeLink(nameOf.get(to), linkTo) },
          { name: 'By field', cell: ({ fieldPath }) => html`<code>${breakable(fieldPath)}</code>` },
          {
            name: 'Rule',
            cell: ({ rule }) =>
              html`<a href="${address('rules', { search: `${rule.workspace}/${rule.name}` })}"
                >${breakable(`${rule.workspace}/${rule.name}`)}</a
              >`,
          },
          { name: 'State', cell: stateOf },
        ],
        'No reference is like that.',
      )}
      ${
        isDrawn
          ? undefined
          : table(
              'Types',
              found,
              [
                { name: 'Type', cell: (type) => typeLink(type, linkTo) },
                { name: 'Workspace', cell: ({ workspace }) => breakable(workspace) },
              ],
              'No type is like that.',
            )
      }`,
  };
}

/** What the picture shows: the part, or of too many arrows those from and to the chosen type. Undefined: no picture. */
function drawable(part: TypeGraph, chosen: GraphType | undefined): TypeGraph | undefined {
  if (part.types.length === 0 || part.types.length > MOST_DRAWN) return undefined;
  if (arrowsOf(part).length <= MOST_ARROWS) return part;
  if (chosen === undefined) return undefined;
  const references = part.references.filter(({ from, to }) => from === chosen.id || to === chosen.id);
  const near = new Set(references.flatMap(({ from, to }) => [from, to]));
  return { ...part, types: part.types.filter(({ id }) => near.has(id)), references };
}

function formFor({ of, hops, search, size }: GraphQuestion & { readonly size: 'fit' | 'full' }): Html {
  const sizes = choice('size', 'Size', size, { fit: 'fit to the page', full: 'full size' });
  if (of === '')
    return form('graph', [{ name: 'search', label: 'Search', value: search, hint: 'part of a type, group or workspace' }, sizes], 'Search');
  const around = choice('hops', 'Around the type, show', String(hops), { '1': '1 arrow', '2': '2 arrows', '3': '3 arrows' });
  return form('graph', [html`<input type="hidden" name="of" value="${of}" />`, around, sizes], 'Show');
}

interface Told {
  readonly found: readonly GraphType[];
  readonly part: TypeGraph;
  readonly chosen: GraphType | undefined;
  readonly drawn: TypeGraph | undefined;
}

function told({ of, hops, search }: GraphQuestion, { found, part, chosen, drawn }: Told): Html {
  const isDrawn = drawn !== undefined;
  const all = html`<a href="graph">Show all types.</a>`;
  const arrows = part.types.length > MOST_DRAWN ? '' : ` and ${count(arrowsOf(part).length, 'arrow')}`;
  const many = `${String(part.types.length)} types${arrows} are too many for a picture that can be read: choose a type below, or search.`;
  if (of !== '') {
    if (chosen === undefined) return html`No rule names ${of} any more. ${all}`;
    const tooMany = !isDrawn
      ? many
      : drawn === part
        ? undefined
        : `The picture has the arrows from and to it alone, as ${count(arrowsOf(part).length, 'arrow')} are too many.`;
    return html`Shown: ${of}, and what is within ${count(hops, 'arrow')} of it. ${tooMany} ${all}`;
  }
  if (search !== '') {
    const tooMany = isDrawn || part.types.length === 0 ? undefined : many;
    return html`${count(found.length, 'type')} found; shown with what is next to them. ${tooMany} ${all}`;
  }
  if (part.types.length === 0) return html`There is no rule that can be read.`;
  return isDrawn ? html`Choose a type to see what is around it.` : html`${many}`;
}

function typeLink(type: GraphType | undefined, linkTo: (type: GraphType) => string): Html {
  if (type === undefined) return html``;
  return html`<a href="${linkTo(type)}">${breakable(printGroupResource(type))}</a>`;
}

function stateOf({ enforcement, inForce, inCycle }: GraphReference): Html {
  const force = inForce === undefined ? state('unknown', 'doubt') : inForce ? state('in force', 'good') : state('not in force', 'bad');
  const tolerant = enforcement === 'Deny' ? undefined : html` ${state(`${enforcement}: refuses nothing`, 'plain')}`;
  return html`${force}${tolerant}${inCycle ? html` ${state('in a circle', 'doubt')}` : undefined}`;
}

function count(number: number, noun: string): string {
  return `${String(number)} ${noun}${number === 1 ? '' : 's'}`;
}

// What a PromQL query speaks of: its metrics with the labels they are chosen by, and the labels that its aggregations keep.
import type { SyntaxNode, Tree } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';

/** One selector: `name{label="value"}`. */
export interface Selector {
  readonly metric: string;
  readonly matchers: readonly { readonly label: string; readonly value: string }[];
}

/** One aggregation: `sum by (labels) (...)`, with the metrics in it. */
export interface Grouping {
  readonly labels: readonly string[];
  readonly metrics: readonly string[];
}

/** A query, taken apart. */
export interface Query {
  readonly selectors: readonly Selector[];
  readonly groupings: readonly Grouping[];
}

/** Takes a query apart. Throws where it is none. */
export function parseQuery(text: string): Query {
  const tree: Tree = parser.parse(text);
  const selectors: Selector[] = [];
  const groupings: Grouping[] = [];
  tree.iterate({
    enter: ({ type, node, from }) => {
      if (type.isError) throw new Error(`no PromQL at ${String(from)}: ${text}`);
      if (type.name === 'VectorSelector') selectors.push(selectorOf(node, text));
      if (type.name === 'AggregateExpr') groupings.push(groupingOf(node, text));
    },
  });
  return { selectors, groupings };
}

function selectorOf(node: SyntaxNode, text: string): Selector {
  const matchers = descendants(node, 'UnquotedLabelMatcher').map((matcher) => ({
    label: textOf(matcher.getChild('LabelName'), text),
    value: textOf(matcher.getChild('StringLiteral'), text).slice(1, -1),
  }));
  return { metric: textOf(node.getChild('Identifier'), text), matchers };
}

function groupingOf(node: SyntaxNode, text: string): Grouping {
  const modifier = node.getChild('AggregateModifier');
  return {
    labels: modifier === null ? [] : descendants(modifier, 'LabelName').map((label) => textOf(label, text)),
    metrics: descendants(node, 'VectorSelector').map((selector) => textOf(selector.getChild('Identifier'), text)),
  };
}

function descendants(node: SyntaxNode, name: string): readonly SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.name === name) found.push(child);
    found.push(...descendants(child, name));
  }
  return found;
}

function textOf(node: SyntaxNode | null, text: string): string {
  return node === null ? '' : text.slice(node.from, node.to);
}

import { describe, expect, it } from '@jest/globals';
import { dot } from './dot.js';
import { layOut, type Box } from './layout.js';
import { mermaid } from './mermaid.js';
import { routes } from './route.js';
import { svg } from './svg.js';
import type { GraphReference, GraphType, TypeGraph } from './type-graph.js';

const EVIL = `"]\\--> x</text></title><script>alert(1)</script>&amp;%%{init: {"theme":"x"}}%%\`**b**\` end;\n;#35; ' \u202e\u0000\ud800`;

function graphWith(text: string, { inCycle = true, inForce = false } = {}): TypeGraph {
  const type = (id: string, workspace: string): GraphType => ({ id, workspace, group: text, resource: text, inCycle });
  const reference = (from: string, to: string): GraphReference => ({
    from,
    to,
    rule: { workspace: text, name: text },
    fieldPath: text,
    enforcement: 'Deny',
    inCycle,
    inForce,
  });
  return {
    types: [type('t0', text), type('t1', `${text} 2`)],
    references: [reference('t0', 't1'), reference('t1', 't0'), reference('t1', 't1')],
    cycles: [['t0', 't1']],
  };
}

/** Types in workspaces, each referring to two before it. */
function manyTypes(count: number, workspaces: number): TypeGraph {
  const types = Array.from({ length: count }, (_, at): GraphType => {
    return {
      id: `t${String(at)}`,
      workspace: `root:w${String(at % workspaces)}`,
      group: 'g.io',
      resource: `type-${String(at)}s`,
      inCycle: at === 0,
    };
  });
  const references = types.flatMap((_, at) =>
    [Math.floor(at / 3), Math.floor(at * 0.6)].map((to): GraphReference => {
      const ends = { from: `t${String(at)}`, to: `t${String(to)}` };
      return { ...ends, rule: { workspace: 'w', name: 'r' }, fieldPath: `.spec.f${String(to)}`, enforcement: 'Deny', inCycle: at === to };
    }),
  );
  return { types, references, cycles: [['t0']] };
}

/** What is left of a picture without the texts in it. */
const structureOf = (xml: string): string =>
  xml.replaceAll(/(<title>|<text[^>]*>)[^<]*/g, '$1').replaceAll(/ (?:x|y|d|width|height|viewBox)="[^"]*"/g, '');

describe(mermaid, () => {
  it('given types and circles, then they are nodes in boxes, circles are red, and what is not in force is dotted', () => {
    expect(mermaid(graphWith('a.io'))).toBe(
      [
        'flowchart LR',
        '  subgraph w0["a.io"]',
        '    t0["#8635; a.io<br/>a.io"]',
        '  end',
        '  subgraph w1["a.io 2"]',
        '    t1["#8635; a.io<br/>a.io"]',
        '  end',
        '  t0 -.->|"a.io"| t1',
        '  t1 -.->|"a.io"| t0',
        '  t1 -.->|"a.io"| t1',
        '  classDef cycle stroke:#c62828,stroke-width:3px',
        '  class t0,t1 cycle',
        '  linkStyle 0,1,2 stroke:#c62828,stroke-width:3px',
        '',
      ].join('\n'),
    );
  });

  it('given hostile names, then a quoted text holds letters, numbers of characters and breaks of ours, and nothing stands outside of quotes', () => {
    const chart = mermaid(graphWith(EVIL));

    const texts = Array.from(chart.matchAll(/"([^"]*)"/g), ([, text]) => text ?? '');
    expect(texts.length).toBe(7);
    for (const text of texts) expect(text.replaceAll('<br/>', '')).toMatch(/^(?:[A-Za-z0-9:./() -]|#\d+;)*$/);
    expect(chart.replaceAll(/"[^"]*"/g, '""')).toBe(mermaid(graphWith('a')).replaceAll(/"[^"]*"/g, '""'));
  });
});

describe(dot, () => {
  it('given hostile names, then they stay inside their strings', () => {
    const digraph = dot(graphWith(EVIL));
    const withoutStrings = (text: string): string => text.replaceAll(/"(?:[^"\\]|\\.)*"/gs, '""');

    expect(withoutStrings(digraph)).toBe(withoutStrings(dot(graphWith('a'))));
    expect(digraph).toContain('&amp;amp;');
    expect(digraph).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });

  it('given types and circles, then they are nodes in clusters, and circles are red', () => {
    const digraph = dot(graphWith('a.io'));

    expect(digraph).toContain(
      '  subgraph cluster_0 {\n    label="a.io"\n    t0 [label="↻ a.io\\na.io", color="#c62828", penwidth=3]\n  }\n',
    );
    expect(digraph).toContain('  t0 -> t1 [label="a.io", style=dashed, color="#c62828", penwidth=3]\n');
  });
});

describe(svg, () => {
  it('given hostile names, then the picture is made of the same elements as with harmless ones', async () => {
    const hostile = await svg(graphWith(EVIL));

    expect(structureOf(hostile)).toBe(structureOf(await svg(graphWith('a'))));
    expect(hostile).not.toMatch(/<script|&(?!#\d+;)|[\u0000\u202e\ud800-\udfff]/u);
  });

  it.each([
    { given: '50 types in 5 workspaces', graph: manyTypes(50, 5), boxes: 5 },
    { given: '50 types in workspaces that interlock too much for boxes', graph: manyTypes(50, 25), boxes: 0 },
    { given: '200 types', graph: manyTypes(200, 20), boxes: 0 },
  ])('given $given, then each is there with its name, and none lies over another', async ({ graph, boxes }) => {
    const picture = await svg(graph);

    const rects = Array.from(
      picture.matchAll(/<rect class="type[^"]*" x="([^"]*)" y="([^"]*)" width="([^"]*)" height="([^"]*)"/g),
      (match) => match.slice(1).map(Number),
    );
    expect(rects).toHaveLength(graph.types.length);
    expect(picture.match(/<rect class="workspace"/g) ?? []).toHaveLength(boxes);
    for (const { resource, workspace } of graph.types) {
      expect(picture.includes(`${resource}</text>`)).toBe(true);
      if (boxes === 0) expect(picture.includes(`>${workspace}</text>`)).toBe(true);
    }
    for (const [x = 0, y = 0, width = 0, height = 0] of rects) {
      const over = rects.filter(([a = 0, b = 0, w = 0, h = 0]) => a < x + width && x < a + w && b < y + height && y < b + h);
      expect(over).toHaveLength(1);
    }
  });

  it('given an arrow of very many references, then it tells the first ten and how many more there are', async () => {
    const { types, references, cycles } = graphWith('a');
    const [first] = references;
    const many = Array.from({ length: 6_400 }, (_, at) => ({ ...first!, fieldPath: `.spec.field${String(at)}` }));

    const picture = await svg({ types, references: many, cycles });

    expect(picture.match(/\.spec\.field\d+ \(/g)).toHaveLength(10);
    expect(picture).toContain('and 6390 more</title>');
  });
});

describe(routes, () => {
  it('given a picture, then no line runs through a box that it does not end at', async () => {
    const { types, references } = manyTypes(40, 1);
    const edges = references.filter(({ from, to }) => from !== to).map(({ from, to }) => ({ from, to, width: 60, height: 14 }));
    const unique = [...new Map(edges.map((edge) => [`${edge.from} ${edge.to}`, edge])).values()];
    const laidOut = await layOut({ groups: [], nodes: types.map(({ id }) => ({ id, group: '', width: 90, height: 44 })), edges: unique });
    const boxes = laidOut!.nodes;
    const labels = laidOut!.edges.map(({ x, y }) => ({ x, y, width: 60, height: 14 }));
    const links = unique.map(({ from, to }, at) => ({ from, to, between: laidOut!.edges[at]!.between }));

    const lines = routes(links, { boxes, labels });

    const through = lines.flatMap((line, at) => {
      const points = Array.from(line.matchAll(/(-?[\d.]+) (-?[\d.]+)/g), ([, x, y]) => ({ x: Number(x), y: Number(y) }));
      const others = [...boxes].filter(([id]) => id !== links[at]?.from && id !== links[at]?.to);
      return others.filter(([, box]) => points.slice(1).some((point, index) => crosses(points[index]!, point, box)));
    });
    expect(lines.every((line) => line.startsWith('M'))).toBe(true);
    expect(through).toEqual([]);
  });
});

/** Whether a level or upright line touches a box. Corners count as their two legs, which are longer. */
function crosses(a: { readonly x: number; readonly y: number }, b: typeof a, { x, y, width, height }: Box): boolean {
  const [left, right] = [Math.min(a.x, b.x), Math.max(a.x, b.x)];
  const [top, bottom] = [Math.min(a.y, b.y), Math.max(a.y, b.y)];
  return left < x + width / 2 && right > x - width / 2 && top < y + height / 2 && bottom > y - height / 2;
}

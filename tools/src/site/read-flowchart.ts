// As much of Mermaid's flowcharts as the documents use: nodes with labels, arrows to several nodes, labels of arrows, one level of subgraphs. Pure.

/** A flowchart. */
export interface Flowchart {
  readonly groups: readonly { readonly id: string; readonly label: string }[];
  readonly nodes: readonly { readonly id: string; readonly lines: readonly string[]; readonly group: string }[];
  readonly edges: readonly { readonly from: string; readonly to: string; readonly label: string }[];
}

const NODE = /([\w-]+)(?:\["?([^"\]]*)"?\])?/;

/** Reads it; undefined where it holds anything else. */
export function readFlowchart(text: string): Flowchart | undefined {
  const [head = '', ...lines] = text.split('\n').map((line) => line.trim());
  if (!/^(?:graph|flowchart) LR$/.test(head)) return undefined;
  const groups: { id: string; label: string }[] = [];
  const nodes = new Map<string, { id: string; lines: readonly string[]; group: string }>();
  const edges: { from: string; to: string; label: string }[] = [];
  let group = '';
  const noted = (written: string): string | undefined => {
    const [whole, id = '', label] = NODE.exec(written.trim()) ?? [];
    if (whole !== written.trim()) return undefined;
    const known = nodes.get(id);
    if (known === undefined || label !== undefined)
      nodes.set(id, { id, lines: (label ?? id).split('<br/>'), group: known?.group ?? group });
    return id;
  };
  for (const line of lines.filter((each) => each !== '')) {
    const [, id, label] = /^subgraph ([\w-]+)\["(.*)"\]$/.exec(line) ?? [];
    const [, from, name = '', to] = /^(.+?) -->(?:\|"(.*?)"\|)? (.+)$/.exec(line) ?? [];
    if (id !== undefined) groups.push({ id, label: label ?? '' });
    if (id !== undefined || line === 'end') group = id ?? '';
    else if (from !== undefined && to !== undefined) {
      const start = noted(from);
      const ends = to.split(' & ').map(noted);
      if (start === undefined) return undefined;
      for (const end of ends) {
        if (end === undefined) return undefined;
        edges.push({ from: start, to: end, label: name });
      }
    } else if (noted(line) === undefined) return undefined;
  }
  return { groups, nodes: [...nodes.values()], edges };
}

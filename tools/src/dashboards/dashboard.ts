// deploy/dashboards/dep-ctrl.json: the panels as Grafana wants them. 24 columns; Grafana 10 or newer.
import { ROWS, type Panel } from './panels.js';

const COLUMNS = 24;
const HEIGHTS = { number: 4, lines: 8 } as const;
const SOURCE = { type: 'prometheus', uid: '${datasource}' };

/** The dashboard as JSON. */
export function dashboardText(): string {
  return `${JSON.stringify(dashboard(), undefined, 2)}\n`;
}

function dashboard(): unknown {
  return {
    uid: 'dep-ctrl',
    title: 'dep-ctrl',
    description: 'Foreign keys for kcp: is it well, what does it decide, what does it cost.',
    tags: ['dep-ctrl', 'kcp'],
    schemaVersion: 39,
    version: 1,
    editable: true,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: {
      list: [
        { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' },
        {
          name: 'namespace',
          label: 'Namespace',
          type: 'query',
          datasource: SOURCE,
          query: { query: 'label_values(dep_ctrl_leader, namespace)', refId: 'namespace' },
          refresh: 2,
          includeAll: true,
          multi: true,
          allValue: '.*',
          current: { text: 'All', value: '$__all' },
        },
      ],
    },
    panels: panels(),
  };
}

function panels(): readonly unknown[] {
  const placed: unknown[] = [];
  let [id, y] = [0, 0];
  for (const row of ROWS) {
    placed.push({ id: (id += 1), type: 'row', title: row.title, collapsed: false, gridPos: { x: 0, y, w: COLUMNS, h: 1 }, panels: [] });
    y += 1;
    const perLine = row.panels.every(({ kind }) => kind === 'number') ? row.panels.length : 2;
    const w = Math.floor(COLUMNS / perLine);
    for (const [at, panel] of row.panels.entries()) {
      const h = HEIGHTS[panel.kind];
      placed.push(panelOf(panel, (id += 1), { x: (at % perLine) * w, y, w, h }));
      if (at % perLine === perLine - 1 || at === row.panels.length - 1) y += h;
    }
  }
  return placed;
}

function panelOf(panel: Panel, id: number, gridPos: Readonly<Record<'x' | 'y' | 'w' | 'h', number>>): unknown {
  const { title, about, kind, unit, queries } = panel;
  return {
    id,
    title,
    description: about,
    type: kind === 'number' ? 'stat' : 'timeseries',
    datasource: SOURCE,
    gridPos,
    targets: queries.map(({ query, legend }, at) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + at),
      datasource: SOURCE,
      expr: query,
      legendFormat: legend === '' ? '__auto' : legend,
    })),
    fieldConfig: { defaults: { unit, thresholds: { mode: 'absolute', steps: stepsOf(panel) }, ...look(panel) }, overrides: [] },
    options:
      kind === 'number'
        ? { reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false }, colorMode: 'value', graphMode: 'none' }
        : { legend: { displayMode: 'list', placement: 'bottom', showLegend: true }, tooltip: { mode: 'multi', sort: 'desc' } },
  };
}

function look({ kind, redFrom }: Panel): Readonly<Record<string, unknown>> {
  if (kind === 'number') return {};
  return { min: 0, custom: { fillOpacity: 10, lineWidth: 1, thresholdsStyle: { mode: redFrom === undefined ? 'off' : 'line' } } };
}

function stepsOf({ redFrom, redBelow }: Panel): readonly unknown[] {
  return [
    { color: redBelow === undefined ? 'green' : 'red', value: null },
    ...(redBelow === undefined ? [] : [{ color: 'green', value: redBelow }]),
    ...(redFrom === undefined ? [] : [{ color: 'red', value: redFrom }]),
  ];
}

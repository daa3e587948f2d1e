// What the chart and the dashboards hold that comes from elsewhere: Helm reads nothing outside the chart, so it has copies.
import { readFileSync } from 'node:fs';
import { withValuesTable } from './values-table.js';
import { dashboardText } from '../dashboards/dashboard.js';

/** One file, as text that Prettier has not laid out yet. */
export interface ChartFile {
  readonly path: string;
  readonly text: string;
}

const ALERTS = 'deploy/dashboards/alerts.yaml';
const README = 'deploy/chart/README.md';

/** Every generated file below deploy/chart and deploy/dashboards. */
export function chartFiles(): readonly ChartFile[] {
  const dashboard = dashboardText();
  return [
    { path: 'deploy/dashboards/dep-ctrl.json', text: dashboard },
    { path: 'deploy/chart/files/dashboard.json', text: dashboard },
    { path: 'deploy/chart/files/alerts.yaml', text: `# Copied from ${ALERTS} by "npm run generate".\n${readFileSync(ALERTS, 'utf8')}` },
    { path: README, text: withValuesTable(readFileSync(README, 'utf8'), readFileSync('deploy/chart/values.yaml', 'utf8')) },
  ];
}

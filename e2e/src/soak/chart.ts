// The samples of a soak as one SVG: a small chart per measure, both processes in it.
import type { Sample } from './sample.js';

interface Line {
  readonly name: string;
  readonly colour: string;
  readonly of: (sample: Sample) => number;
}

const WEBHOOK = '#0b5fa5';
const CONTROLLER = '#c4570b';
const both = (of: (process: Sample['webhook']) => number): readonly Line[] => [
  { name: 'webhook', colour: WEBHOOK, of: ({ webhook }) => of(webhook) },
  { name: 'controller', colour: CONTROLLER, of: ({ controller }) => of(controller) },
];
const CHARTS: readonly { readonly title: string; readonly lines: readonly Line[] }[] = [
  { title: 'resident memory, MB', lines: both(({ residentMb }) => residentMb) },
  { title: 'heap in use, MB', lines: both(({ heapMb }) => heapMb) },
  { title: 'open files and sockets', lines: both(({ files }) => files) },
  {
    title: 'connections of kcp to the webhook',
    lines: [{ name: 'webhook', colour: WEBHOOK, of: ({ webhook }) => webhook.connections }],
  },
  { title: 'event loop lag, worst, ms', lines: both(({ lagMs }) => lagMs) },
  {
    title: 'a delete as its user waits for it, ms',
    lines: [
      { name: 'median', colour: WEBHOOK, of: ({ medianMs }) => medianMs },
      { name: 'slowest', colour: CONTROLLER, of: ({ slowestMs }) => slowestMs },
    ],
  },
];

const WIDTH = 720;
const HEIGHT = 130;
const LEFT = 50;
const PLOT = 90;

/** The picture. */
export function chartOf(samples: readonly Sample[], title: string): string {
  const charts = CHARTS.map(({ title: name, lines }, at) => panel(samples, { title: name, lines, top: 30 + at * HEIGHT }));
  const height = 40 + CHARTS.length * HEIGHT;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="11">`,
    `<rect width="${WIDTH}" height="${height}" fill="white"/>`,
    `<text x="10" y="18" font-size="13">${title}</text>`,
    ...charts,
    '</svg>',
    '',
  ].join('\n');
}

function panel(
  samples: readonly Sample[],
  { title, lines, top }: { readonly title: string; readonly lines: readonly Line[]; readonly top: number },
): string {
  const most = Math.max(1, ...samples.flatMap((sample) => lines.map(({ of }) => of(sample))));
  const last = Math.max(1, samples.at(-1)?.second ?? 1);
  const bottom = top + 20 + PLOT;
  const x = (second: number): string => (LEFT + (second / last) * (WIDTH - LEFT - 20)).toFixed(1);
  const y = (value: number): string => (bottom - (value / most) * PLOT).toFixed(1);
  return [
    `<text x="${LEFT}" y="${top + 14}">${title}</text>`,
    ...lines.map(({ name, colour }, at) => `<text x="${WIDTH - 160 + at * 75}" y="${top + 14}" fill="${colour}">${name}</text>`),
    `<path d="M${LEFT} ${top + 20}V${bottom}H${WIDTH - 20}" fill="none" stroke="#999"/>`,
    `<text x="${LEFT - 5}" y="${top + 28}" text-anchor="end">${most.toFixed(0)}</text>`,
    `<text x="${LEFT - 5}" y="${bottom}" text-anchor="end">0</text>`,
    `<text x="${WIDTH - 20}" y="${bottom + 12}" text-anchor="end">${last.toFixed(0)} s</text>`,
    ...lines.map(({ colour, of }) => {
      const points = samples.map((sample) => `${x(sample.second)},${y(of(sample))}`).join(' ');
      return `<polyline points="${points}" fill="none" stroke="${colour}"/>`;
    }),
  ].join('\n');
}

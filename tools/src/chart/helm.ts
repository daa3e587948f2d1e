// Helm: the program of HELM_BIN, or helm on PATH.
import { execFileSync } from 'node:child_process';

/** The chart, from the root of the repository. */
export const CHART = 'deploy/chart';

// Said aloud: a Helm that was built from its module believes in a Kubernetes of years ago. The oldest that the chart admits.
const KUBERNETES = '1.30.0';

/** What Helm printed, and whether it was content. */
export interface HelmAnswer {
  readonly ok: boolean;
  readonly text: string;
}

/** A Helm that can be run. */
export interface Helm {
  readonly version: string;
  /** Renders as `helm install dep-ctrl` would, without asking a cluster. */
  render(valueFile: string): HelmAnswer;
  lint(valueFile: string): HelmAnswer;
}

/** The Helm of this machine; undefined where it has none. */
export function findHelm(env: Readonly<Record<string, string | undefined>>): Helm | undefined {
  const program = env['HELM_BIN'] ?? 'helm';
  const run = (...args: readonly string[]): HelmAnswer => answerOf(program, args);
  const version = run('version', '--short');
  if (!version.ok) return undefined;
  return {
    version: version.text.trim(),
    render: (file) => run('template', 'dep-ctrl', CHART, '--namespace', 'dep-ctrl', '--kube-version', KUBERNETES, '--values', file),
    lint: (file) => run('lint', CHART, '--strict', '--kube-version', KUBERNETES, '--values', file),
  };
}

function answerOf(program: string, args: readonly string[]): HelmAnswer {
  try {
    return { ok: true, text: execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 2 ** 24 }) };
  } catch (error) {
    const { stdout = '', stderr } = error as { readonly stdout?: string; readonly stderr?: string }; // what execFileSync throws
    return { ok: false, text: `${stdout}${stderr ?? String(error)}` };
  }
}

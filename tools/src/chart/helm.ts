// Helm: the program of HELM_BIN, or helm on PATH.
import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';

/** The chart, from the root of the repository. */
export const CHART = 'deploy/chart';

// Said aloud: a Helm that was built from its module believes in a Kubernetes of years ago. The oldest that the chart admits.
const KUBERNETES = '1.30.0';
const MOST_BYTES = 2 ** 24;

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
  /** Renders as `helm upgrade` would: looks up what the cluster of the kubeconfig has in its namespace `default`. Throws where Helm refuses. */
  renderOn(kubeconfig: string, valueFile: string, ...more: readonly string[]): Promise<string>;
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
    renderOn: async (kubeconfig, file, ...more) => {
      const args = [
        '--kubeconfig',
        kubeconfig,
        '--namespace',
        'default',
        '--dry-run=server',
        '--kube-version',
        KUBERNETES,
        '--values',
        file,
        ...more,
      ];
      const { stdout } = await promisify(execFile)(program, ['template', 'dep-ctrl', CHART, ...args], { maxBuffer: MOST_BYTES });
      return stdout;
    },
    lint: (file) => run('lint', CHART, '--strict', '--kube-version', KUBERNETES, '--values', file),
  };
}

function answerOf(program: string, args: readonly string[]): HelmAnswer {
  try {
    return { ok: true, text: execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: MOST_BYTES }) };
  } catch (error) {
    const { stdout = '', stderr } = error as { readonly stdout?: string; readonly stderr?: string }; // what execFileSync throws
    return { ok: false, text: `${stdout}${stderr ?? String(error)}` };
  }
}

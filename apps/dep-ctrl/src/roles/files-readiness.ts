// What readyz?verbose says of the files that are followed. The certificate has a line of its own.
import type { ReadinessCheck } from '@dep-ctrl/kcp-client';

/** The files of a process, each with why its content of the moment cannot be used. */
export interface FollowedFiles {
  readonly kubeconfig: { readonly problem: () => string | undefined };
  readonly files: {
    readonly urlSecrets?: { readonly problem: string | undefined };
    readonly caBundle?: { readonly problem: string | undefined };
  };
}

/** Another replica may have the same files, so the process stays ready. */
export function filesReadiness({ kubeconfig, files }: FollowedFiles): ReadinessCheck {
  return {
    name: 'files',
    check: () => {
      const problems = [
        ['the kubeconfig', kubeconfig.problem()],
        ['--url-token-file', files.urlSecrets?.problem],
        ['--webhook-ca-bundle-path', files.caBundle?.problem],
      ] as const;
      const notes = problems.flatMap(([file, problem]) => (problem === undefined ? [] : [`${file}: ${problem}`]));
      return notes.length === 0 ? { ready: true } : { ready: true, note: `what was read before stays in use: ${notes.join('; ')}` };
    },
  };
}

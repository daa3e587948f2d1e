// dep-ctrl's image in a Kubernetes node that is a container itself. Nobody has run it: the node image was to be had nowhere yet, and what
// would start one without ever having started one is not written. So this says why it is missing, and does not count as tried.
import { spawnSync } from 'node:child_process';
import type { Missing } from './backend.js';
import { findExecutable } from './programs.js';

const NODE_IMAGE = 'kindest/node';
const ANSWER_MS = 10_000;

/** Says what is missing for it. */
export function missKind(env: Readonly<Record<string, string | undefined>>): Promise<Missing> {
  return Promise.resolve({ missing: reason(env) });
}

function reason(env: Readonly<Record<string, string | undefined>>): string {
  const docker = findExecutable('docker', env);
  if (docker === undefined) return 'no docker on PATH';
  // An engine that would have to be started first holds no image.
  const { status, stdout } = spawnSync(docker, ['images', '--quiet', NODE_IMAGE], { encoding: 'utf8', timeout: ANSWER_MS });
  if (status !== 0) return `no container engine answers that could hold an image ${NODE_IMAGE}, and nothing is pulled`;
  if (stdout.trim() === '') return `the container engine holds no image ${NODE_IMAGE}, and nothing is pulled`;
  return `there is an image ${NODE_IMAGE}, but how to deploy dep-ctrl there is not written: it could not be tried yet`;
}

// dep-ctrl's image in a Kubernetes node that is a container itself. Nobody has run it yet: there was never a machine with all that it takes. So this
// looks for each part, says which are missing, and where none is, that how to run dep-ctrl there is not written. It never counts as tried.
import { spawnSync } from 'node:child_process';
import type { Missing } from './backend.js';
import { findExecutable } from './programs.js';

const NODE_IMAGE = 'kindest/node';
const ANSWER_MS = 10_000;

/** What a machine has of what a Kubernetes node in a container takes. */
export interface KindParts {
  readonly docker: 'absent' | 'silent' | 'answers';
  /** Images of nodes that the engine holds; undefined where none answers. */
  readonly images: readonly string[] | undefined;
  readonly hasKind: boolean;
}

/** Looks, and says what is missing. */
export function missKind(env: Readonly<Record<string, string | undefined>>): Promise<Missing> {
  return Promise.resolve({ missing: missingForKind(look(env)) });
}

/** Everything that is missing, as one sentence. */
export function missingForKind({ docker, images, hasKind }: KindParts): string {
  const lacks = [
    ...(docker === 'absent' ? ['no docker on PATH'] : []),
    ...(docker === 'silent' ? ['no container engine answers'] : []),
    ...(images?.length === 0 ? [`the container engine holds no image ${NODE_IMAGE}, and nothing is pulled`] : []),
    ...(hasKind ? [] : ['no kind on PATH']),
  ];
  if (lacks.length > 0) return lacks.join('; ');
  return `kind and ${images?.join(', ') ?? NODE_IMAGE} are there, but how to run dep-ctrl in them is not written: it could not be tried yet`;
}

function look(env: Readonly<Record<string, string | undefined>>): KindParts {
  const docker = findExecutable('docker', env);
  const images = docker === undefined ? undefined : imagesOf(docker);
  return {
    docker: docker === undefined ? 'absent' : images === undefined ? 'silent' : 'answers',
    images,
    hasKind: findExecutable('kind', env) !== undefined,
  };
}

function imagesOf(docker: string): readonly string[] | undefined {
  const { status, stdout } = spawnSync(docker, ['images', '--format', '{{.Repository}}:{{.Tag}}', NODE_IMAGE], {
    encoding: 'utf8',
    timeout: ANSWER_MS,
  });
  return status === 0 ? stdout.split('\n').filter((line) => line !== '') : undefined;
}

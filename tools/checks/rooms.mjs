// The rooms of each project: the folders of its src, lowest first. A file imports its own room and lower ones, never a higher one; src itself is the
// roof. The lint holds the order (room-order.mjs), docs/architecture.md says what is in each room (rooms-documented.mjs).
import { dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @type {Readonly<Record<string, readonly string[]>>} */
export const rooms = {
  'libs/kcp-client': [
    'errors',
    'time',
    'running',
    'http',
    'requests',
    'connection',
    'watch',
    'endpoints',
    'election',
    'kubeconfig',
    'client-node',
  ],
  'libs/kcp-controller': ['store', 'controller', 'objects', 'events'],
  'libs/rule-registry': ['rules', 'parsing', 'guarding', 'manifests', 'registry'],
  'libs/admission-server': ['certificates', 'url-tokens', 'webhook-url', 'server'],
  'libs/exported-types': ['schemas', 'bindings', 'exports'],
  'libs/embedded-kcp': [
    'json',
    'http',
    'built-in-schemas',
    'storage',
    'patch',
    'protobuf',
    'apply',
    'authentication',
    'machinery/schema',
    'machinery/resources',
    'machinery/requests',
    'machinery/objects',
    'machinery/builtin',
    'kcp/kinds',
    'kcp/shards',
    'kcp/bootstrap',
    'authorization',
    'admission',
    'admission/webhooks',
    'background',
    'teardown',
    'controllers',
    'garbage-collection',
    'service-accounts',
    'reviews',
    'openapi',
    'server',
    'virtual-workspaces',
    'starting',
    'faults',
    'installation',
  ],
  'apps/dep-ctrl': [
    'own-objects',
    'command-line',
    'url-tokens',
    'rules',
    'read-access',
    'shard-rights',
    'teardown-type',
    'bootstrap',
    'bootstrap/diff',
    'certificate',
    'health',
    'controller/configuration',
    'controller/rule-status',
    'controller/guard',
    'controller/rule-admission',
    'controller/teardown',
    'controller/workspace',
    'controller',
    'webhook/decision',
    'webhook/bindings',
    'webhook/lookup',
    'webhook/fresh-rules',
    'webhook/review',
    'webhook/rule-admission',
    'webhook',
    'telemetry',
    'self-checks',
    'composition',
    'roles',
    'bind',
    'installation',
    'doctor/probes',
    'doctor',
    'status',
    'explain',
    'namespace-deletion',
    'uninstall',
    'manifest-files',
    'backup',
    'token-rotation',
    'lint',
    'graph',
    'console/pages',
    'console',
    'completion',
    'dev',
    'commands',
  ],
};

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** Whether a file serves specs alone: it may import any room, and nothing that ships may import it. */
export function isForSpecs(file) {
  return /\.spec\.ts$|\/(?:testing|spec-support)\//.test(file.split(sep).join('/'));
}

/** The project and the folder of a source, and how high its room lies; -1 where the folder is no room. Undefined outside of all rooms. */
export function placeOf(file) {
  const path = relative(root, resolve(file)).split(sep).join('/');
  const project = Object.keys(rooms).find((each) => path.startsWith(`${each}/src/`));
  if (project === undefined) return undefined;
  const folder = dirname(path).slice(`${project}/src/`.length);
  return folder === '' ? roofOf(project) : { project, folder, height: rooms[project].indexOf(folder) };
}

/** The place of what lies in src itself. */
export function roofOf(project) {
  return { project, folder: 'src', height: rooms[project].length };
}

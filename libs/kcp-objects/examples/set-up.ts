// Needs KUBECONFIG: of a user who may make workspaces in "root", such as the admin of a kcp.
import assert from 'node:assert/strict';
import { Connection, systemClock } from '@dep-ctrl/kcp-client';
import { loadKubeconfig } from '@dep-ctrl/kcp-client/kubeconfig';
import { parseWorkspacePath } from '@dep-ctrl/kcp-names';
import { ensureObject, ensureWorkspace, lookForWorkspace, removeWorkspace } from '@dep-ctrl/kcp-objects';

const loaded = loadKubeconfig();
if (!loaded.ok) throw new Error(loaded.problem);
const connection = new Connection(loaded.value);
const options = { clock: systemClock, signal: AbortSignal.timeout(30_000) };
const path = parseWorkspacePath('root:my-operator');
if (!path.ok) throw new Error(path.problem);

assert.equal((await ensureWorkspace(connection, path.value, options)).created, true);
assert.equal((await ensureWorkspace(connection, path.value, options)).created, false);

const inside = connection.cluster(path.value);
const configMaps = { group: '', version: 'v1', resource: 'configmaps' };
const wanted = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', namespace: 'default' }, data: { colour: 'blue' } };
assert.equal(await ensureObject(inside, configMaps, wanted, options), 'created');
assert.equal(await ensureObject(inside, configMaps, wanted, options), 'unchanged');

await removeWorkspace(connection, path.value, options);
assert.deepEqual(await lookForWorkspace(connection, path.value, options), { state: 'missing', path: 'root:my-operator' });
await connection.close();

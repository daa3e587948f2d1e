// Needs KUBECONFIG: of a user who may make workspaces in "root", such as the admin of a kcp.
import assert from 'node:assert/strict';
import { Connection, systemClock } from '@dep-ctrl/kcp-client';
import { loadKubeconfig } from '@dep-ctrl/kcp-client/kubeconfig';
import { workspacePath } from '@dep-ctrl/kcp-names';
import { ensureObject, ensureWorkspace, lookForWorkspace, removeWorkspace } from '@dep-ctrl/kcp-objects';

const loaded = loadKubeconfig();
if (!loaded.ok) throw new Error(loaded.problem);
const connection = new Connection(loaded.value);
const options = { clock: systemClock, signal: AbortSignal.timeout(30_000) };
const path = workspacePath('root:my-operator');

assert.equal((await ensureWorkspace(connection, path, options)).created, true);
assert.equal((await ensureWorkspace(connection, path, options)).created, false);

const inside = connection.cluster(path);
const configMaps = { group: '', version: 'v1', resource: 'configmaps' };
const wanted = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', namespace: 'default' }, data: { colour: 'blue' } };
assert.equal(await ensureObject(inside, configMaps, wanted, options), 'created');
assert.equal(await ensureObject(inside, configMaps, wanted, options), 'unchanged');

await removeWorkspace(connection, path, options);
assert.deepEqual(await lookForWorkspace(connection, path, options), { state: 'missing', path: 'root:my-operator' });
await connection.close();

import { describe, expect, it } from '@jest/globals';
import { workspacePath } from '@dep-ctrl/kcp-names';
import { bindingManifest } from './bind-export.js';

describe(bindingManifest, () => {
  it('given claims of somebody else in the binding, then they stay', () => {
    const path = workspacePath('root:providers:guards');
    const ours = { group: 'admissionregistration.k8s.io', resource: 'validatingwebhookconfigurations', verbs: ['get'] };
    const theirs = { group: '', resource: 'secrets', verbs: ['get'], selector: { matchAll: true }, state: 'Accepted' };
    const existing = { metadata: { name: 'b' }, spec: { permissionClaims: [theirs] } };

    const manifest = bindingManifest('b', { export: { path: path, name: 'guards.example.com' }, claims: [ours] }, existing);

    expect(manifest['spec']).toMatchObject({ permissionClaims: [theirs, { resource: ours.resource, state: 'Accepted' }] });
  });
});

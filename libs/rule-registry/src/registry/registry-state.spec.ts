import { describe, expect, it } from '@jest/globals';
import { cluster, guard, path, rule } from '../testing/builders.js';
import { RegistryState } from './registry-state.js';

const network = cluster('network');
const NOBODY_ELSE = { cluster: network, allowRulesFrom: [path('root:compute')] };

describe(RegistryState, () => {
  it('given a guard that stays as it is, then what it admits is worked out once, and anew when a path or the guard changes', () => {
    const state = new RegistryState();
    state.guards.set('s0', network, guard(NOBODY_ELSE));

    const first = state.admissionAt(network);
    expect(first(rule())).toBe(false);
    expect(state.admissionAt(network)).toBe(first);

    state.workspaces.setResolved(path('root:compute'), cluster('compute'));
    const resolved = state.admissionAt(network);
    expect(resolved(rule())).toBe(true);
    expect(state.admissionAt(network)).toBe(resolved);

    state.guards.set('s0', network, guard({ ...NOBODY_ELSE, generation: 2, allowRulesFrom: [] }));
    expect(state.admissionAt(network)(rule())).toBe(false);

    state.guards.delete('s0', network);
    expect(state.admissionAt(network)(rule())).toBe(true);
  });
});

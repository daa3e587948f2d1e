import { describe, expect, it } from '@jest/globals';
import { name } from '../../rules/spec-support/objects.js';
import type { Installation } from './installation.js';
import { Installations, NONE } from './installations.js';

const installed: Installation = { state: 'installed', resources: [], named: new Set(), noRoom: new Set() };

describe(Installations, () => {
  it('given workspaces in every state, then each is counted once, and one that nobody can repair here apart from the others', () => {
    const installations = new Installations();
    const states: readonly Installation[] = [
      installed,
      { state: 'waiting', message: 'for kcp' },
      { state: 'pending', message: 'not written yet' },
      { state: 'failed', reason: 'Forbidden', message: 'no right' },
      { state: 'failed', reason: 'NotBound', message: 'not bound' },
    ];

    for (const [at, state] of states.entries()) installations.set(name(`network${at}`), state);

    expect(installations.counts()).toEqual({ installed: 1, pending: 2, failed: 1, unbound: 1 });
    expect([installations.of(name('network0')), installations.of(name('other'))]).toEqual([installed, undefined]);
  });

  it('given a workspace that wants no configuration any more, then it is forgotten, and the counts begin at nothing again', () => {
    const installations = new Installations();
    installations.set(name('network1'), installed);
    installations.counts();

    installations.set(name('network1'), undefined);

    expect(installations.counts()).toEqual(NONE);
    expect(NONE).toEqual({ installed: 0, pending: 0, failed: 0, unbound: 0 });
  });
});

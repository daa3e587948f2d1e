import { describe, expect, it } from '@jest/globals';
import { KcpError, type KcpErrorCode } from '@dep-ctrl/kcp-client';
import { READING_ON_SHARD, refusedByShard, RIGHTS_ON_SHARD, SWEEP_OF_SHARD } from './refused-by-shard.js';

const shard = { file: 'shard-1.kubeconfig', context: 'shard-base' };
const failure = (code: KcpErrorCode) =>
  new KcpError({ code, asked: 'get clusterroles/x in "system:admin"', at: 'https://shard:6443', problem: 'kcp says so' });

describe(refusedByShard, () => {
  it.each<{ given: string; code: KcpErrorCode; says: string }>([
    {
      given: 'somebody who is no admin there',
      code: 'forbidden',
      says: "must be of an admin of the shard, at the shard's own address: give one",
    },
    {
      given: 'the address of something else',
      code: 'not-served',
      says: "must be of an admin of the shard, at the shard's own address: give one",
    },
    {
      given: 'an address that has no such object',
      code: 'not-found',
      says: "must be of an admin of the shard, at the shard's own address: give one",
    },
    { given: 'credentials of another shard', code: 'unauthorized', says: 'has credentials that this shard does not accept: give one' },
    { given: 'a shard that is away', code: 'unreachable', says: 'the rights could not be written to system:admin of this shard' },
  ])('given $given, then the message names flag, file and context, and what to do', ({ code, says }) => {
    const thrown = failure(code);

    const told = refusedByShard(thrown, shard, RIGHTS_ON_SHARD);

    expect(told.message).toMatch(/^--shard-kubeconfig "shard-1.kubeconfig" \(context "shard-base"\)/);
    expect(told.message).toContain(says);
    expect(told.cause).toBe(thrown);
  });

  it.each([
    {
      tried: RIGHTS_ON_SHARD,
      again: '; then run bootstrap again, or have such an admin apply the system:admin part of "dep-ctrl bootstrap --dry-run" there',
      failed: 'the rights could not be written to system:admin of this shard',
    },
    {
      tried: READING_ON_SHARD,
      again: '; then run bind again',
      failed: 'what the webhook may read could not be written to system:admin of this shard',
    },
    { tried: SWEEP_OF_SHARD, again: '; then run uninstall again', failed: 'this shard could not be looked through' },
  ])('given a shard that refused $tried.command, then that is what to run again', ({ tried, again, failed }) => {
    const told = (code: KcpErrorCode) => refusedByShard(failure(code), shard, tried).message;

    expect(told('forbidden').endsWith(again)).toBe(true);
    expect(told('unreachable')).toBe(`--shard-kubeconfig "shard-1.kubeconfig" (context "shard-base"): ${failed}`);
  });

  it('given that uninstall was refused, then that is what to run again, and bootstrap is not named', () => {
    const told = refusedByShard(failure('forbidden'), shard, SWEEP_OF_SHARD).message;

    expect(told).toMatch(/^--shard-kubeconfig "shard-1.kubeconfig" \(context "shard-base"\) must be of an admin of the shard, /);
    expect(told).toMatch(/; then run uninstall again$/);
  });
});

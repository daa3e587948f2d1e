import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { notParsed, parsed } from '@dep-ctrl/kcp-names';
import { mintServingPair } from './mint.js';
import { nothingServed, stepRenewal, type RenewalInput, type RenewalState } from './certificate-renewal.js';
import { checkPair, isVerifiedBy, type ServingPair } from './serving-pair.js';
import { testCertificates } from '../testing/certificates.js';

const NOW = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;
const SETTLE_MS = 5_000;

describe(stepRenewal, () => {
  it('given the first pair, then it is served, whatever is installed', async () => {
    const [own, other] = await Promise.all([testCertificates(NOW), testCertificates(NOW)]);

    expect(step(nothingServed, own.pair, { installedBundles: [other.authority.certificate] }).effect).toMatchObject({
      kind: 'serve',
      pair: own.pair,
    });
  });

  it('given the same pair again, then nothing happens', async () => {
    const { pair } = await testCertificates(NOW);

    expect(step(serving(pair), pair)).toEqual({ state: serving(pair), effect: { kind: 'nothing' } });
  });

  it('given a renewed pair that the installed bundles verify, then it is served when kcp has had time to go by them', async () => {
    const { authority, pair } = await testCertificates(NOW);
    const renewed = await mintServingPair(authority, ['127.0.0.1'], NOW);
    const installedBundles = [authority.certificate];

    const first = step(serving(pair), renewed, { installedBundles });
    const almost = step(first.state, renewed, { installedBundles, nowMs: NOW + SETTLE_MS - 1 });
    const settled = step(almost.state, renewed, { installedBundles, nowMs: NOW + SETTLE_MS });

    expect([first.effect.kind, almost.effect.kind]).toEqual(['hold-back', 'nothing']);
    expect(settled.effect).toMatchObject({ kind: 'serve', pair: renewed });
  });

  it('given installed bundles that no longer verify what is served, then one that they do verify is served at once', async () => {
    const [old, young] = await Promise.all([testCertificates(NOW), testCertificates(NOW)]);

    expect(step(serving(old.pair), young.pair, { installedBundles: [young.authority.certificate] }).effect.kind).toBe('serve');
  });

  it('given bundles of which one no longer verifies what is served, then a pair that all of them verify is served at once', async () => {
    const [old, young] = await Promise.all([testCertificates(NOW), testCertificates(NOW)]);
    const both = `${old.authority.certificate}${young.authority.certificate}`;

    expect(step(serving(old.pair), young.pair, { installedBundles: [both, young.authority.certificate] }).effect.kind).toBe('serve');
  });

  it('given installed bundles that verify neither pair, then the new one is held back', async () => {
    const [old, young, other] = await Promise.all([testCertificates(NOW), testCertificates(NOW), testCertificates(NOW)]);

    expect(step(serving(old.pair), young.pair, { installedBundles: [other.authority.certificate] }).effect.kind).toBe('hold-back');
  });

  it('given a third pair while another waits, then its wait begins anew', async () => {
    const [old, young, younger] = await Promise.all([testCertificates(NOW), testCertificates(NOW), testCertificates(NOW)]);
    const installedBundles = [old.authority.certificate];
    const held = step(serving(old.pair), young.pair, { installedBundles });

    const replaced = step(held.state, younger.pair, { installedBundles, nowMs: NOW + 4 * MINUTE });
    const almost = step(replaced.state, younger.pair, { installedBundles, nowMs: NOW + 9 * MINUTE - 1 });
    const over = step(almost.state, younger.pair, { installedBundles, nowMs: NOW + 9 * MINUTE });

    expect([replaced, almost, over].map(({ effect }) => effect.kind)).toEqual(['hold-back', 'nothing', 'serve']);
  });

  it('given a key that does not belong to the certificate, then the old pair goes on and one complaint is made', async () => {
    const [own, other] = await Promise.all([testCertificates(NOW), testCertificates(NOW)]);
    const torn = { certificate: other.pair.certificate, key: own.pair.key };

    const first = step(serving(own.pair), torn);
    const second = step(first.state, torn);

    expect(first.effect).toEqual({ kind: 'complain', problem: 'the key does not belong to the certificate' });
    expect([second.effect, second.state.served?.certificate]).toEqual([{ kind: 'nothing' }, own.pair.certificate]);
  });

  it('given a pair that kcp would not accept whatever its CA, then the old pair goes on for as long as it is valid', async () => {
    const { authority, pair } = await testCertificates(NOW);
    const expired = await mintServingPair(authority, ['127.0.0.1'], NOW - 400 * 24 * 60 * MINUTE);
    const { expiresAtMs } = serving(pair).served!;
    const misfit = 'it has expired';

    const first = step(serving(pair), expired, { misfit });
    const second = step(first.state, expired, { misfit, nowMs: NOW + 60 * MINUTE });
    const useless = step(second.state, expired, { misfit, nowMs: expiresAtMs });

    expect([first.effect, second.effect]).toEqual([{ kind: 'complain', problem: misfit }, { kind: 'nothing' }]);
    expect(second.state).toEqual({ ...serving(pair), problem: misfit });
    expect([useless.effect.kind, step(nothingServed, expired, { misfit }).effect.kind]).toEqual(['serve', 'serve']);
  });

  it('given one that waits, and then one that kcp would not accept, then the first waits no longer', async () => {
    const [old, young] = await Promise.all([testCertificates(NOW), testCertificates(NOW)]);
    const held = step(serving(old.pair), young.pair, { installedBundles: [old.authority.certificate] });
    const other = await mintServingPair(old.authority, ['10.0.0.7'], NOW);

    expect(step(held.state, other, { misfit: 'another host' }).state.pending).toBeUndefined();
  });

  it('given files that cannot be read, then the old pair goes on', async () => {
    const { pair } = await testCertificates(NOW);

    const { state, effect } = stepRenewal(serving(pair), { read: notParsed('cannot read tls.crt'), installedBundles: [], nowMs: NOW });

    expect([effect, state.served?.certificate]).toEqual([{ kind: 'complain', problem: 'cannot read tls.crt' }, pair.certificate]);
  });

  it('given a pair of a new CA, then it waits until every installed bundle has verified it for a while without a break', async () => {
    const [old, young] = await Promise.all([testCertificates(NOW), testCertificates(NOW)]);
    const both = `${old.authority.certificate}${young.authority.certificate}`;

    const first = step(serving(old.pair), young.pair, { installedBundles: [both, old.authority.certificate] });
    const second = step(first.state, young.pair, { installedBundles: [both, old.authority.certificate], nowMs: NOW + MINUTE });
    const third = step(second.state, young.pair, { installedBundles: [both, both], nowMs: NOW + 2 * MINUTE });
    const broken = step(third.state, young.pair, { installedBundles: [both, old.authority.certificate], nowMs: NOW + 2 * MINUTE + 1 });
    const again = step(broken.state, young.pair, { installedBundles: [both, both], nowMs: NOW + 2 * MINUTE + SETTLE_MS });
    const settled = step(again.state, young.pair, { installedBundles: [both, both], nowMs: NOW + 2 * MINUTE + 2 * SETTLE_MS });

    const steps = [first, second, third, broken, again];
    expect(steps.map(({ effect }) => effect.kind)).toEqual(['hold-back', 'nothing', 'nothing', 'nothing', 'nothing']);
    expect(settled.effect.kind).toBe('serve');
  });

  it('given bundles that never follow, then the pair is served after five minutes', async () => {
    const [old, young] = await Promise.all([testCertificates(NOW), testCertificates(NOW)]);
    const installedBundles = [old.authority.certificate];

    const held = step(serving(old.pair), young.pair, { installedBundles });
    const almost = step(held.state, young.pair, { installedBundles, nowMs: NOW + 5 * MINUTE - 1 });
    const over = step(almost.state, young.pair, { installedBundles, nowMs: NOW + 5 * MINUTE });

    expect([almost.effect.kind, over.effect.kind]).toEqual(['nothing', 'serve']);
  });

  it('given that what is served has expired, then nothing is worth waiting for', async () => {
    const [old, young] = await Promise.all([testCertificates(NOW), testCertificates(NOW)]);

    expect(
      step(serving(old.pair), young.pair, { installedBundles: [old.authority.certificate], nowMs: Date.UTC(2027, 0, 1) }).effect.kind,
    ).toBe('serve');
    const expiresAtMs = serving(old.pair).served?.expiresAtMs ?? 0;
    const at = (nowMs: number) => step(serving(old.pair), young.pair, { installedBundles: [old.authority.certificate], nowMs }).effect.kind;
    expect([at(expiresAtMs - 1), at(expiresAtMs)]).toEqual(['hold-back', 'serve']);
  });

  it('given that the old pair comes back while another waits, then nobody waits any more', async () => {
    const [old, young] = await Promise.all([testCertificates(NOW), testCertificates(NOW)]);
    const installedBundles = [old.authority.certificate];
    const held = step(serving(old.pair), young.pair, { installedBundles });

    const back = step(held.state, old.pair, { installedBundles });

    expect([back.effect.kind, back.state.pending]).toEqual(['nothing', undefined]);
  });
});

describe(checkPair, () => {
  it('given no certificate or no key, then the problem says which', async () => {
    const { pair } = await testCertificates(NOW);

    expect(checkPair({ ...pair, certificate: 'x' })).toEqual({ ok: false, problem: 'the certificate is not a PEM certificate' });
    expect(checkPair({ ...pair, key: 'x' })).toEqual({ ok: false, problem: 'the key is not an unencrypted PEM private key' });
  });
});

describe(isVerifiedBy, () => {
  it('given a bundle with rubbish beside the CA, then the CA is found', async () => {
    const { authority, pair } = await testCertificates(NOW);

    expect(isVerifiedBy(pair, `# comment\n-----BEGIN CERTIFICATE-----\nrubbish\n-----END CERTIFICATE-----\n${authority.certificate}`)).toBe(
      true,
    );
    expect(isVerifiedBy(pair, '')).toBe(false);
    expect(isVerifiedBy({ ...pair, certificate: '' }, authority.certificate)).toBe(false);
  });

  it('given a chain, then a bundle that holds the leaf itself verifies it too', async () => {
    const { pair } = await testCertificates(NOW);

    expect(isVerifiedBy(pair, pair.certificate)).toBe(true);
  });
});

function step(state: RenewalState, pair: ServingPair, change: Partial<RenewalInput> = {}): ReturnType<typeof stepRenewal> {
  return stepRenewal(state, { read: parsed(pair), installedBundles: [], nowMs: NOW, ...change });
}

function serving(pair: ServingPair): RenewalState {
  return step(nothingServed, pair).state;
}

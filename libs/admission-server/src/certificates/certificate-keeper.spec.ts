import { describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '@dep-ctrl/kcp-client/testing';
import { CertificateKeeper, type CertificateKeeperDependencies } from './certificate-keeper.js';
import { pairFromDirectory, type ServingPair } from './serving-pair.js';
import { testCertificates } from '../testing/certificates.js';

describe(CertificateKeeper, () => {
  it('given a source that cannot be read at first, then it says why, and serves once it can', async () => {
    const { pair } = await testCertificates();
    const stage = new Stage(() => Promise.reject(new Error('cannot read tls.crt: no such file')));
    await stage.clock.advance(0);
    expect([stage.served, stage.keeper.missing]).toEqual([[], 'cannot read tls.crt: no such file']);

    stage.read = () => Promise.resolve(pair);
    await stage.clock.advance(2_000);

    expect([stage.served, stage.keeper.missing]).toEqual([[pair.certificate], undefined]);
    await stage.stop();
  });

  it('given a pair that breaks and then mends, then the old one is served in between', async () => {
    const [old, young] = await Promise.all([testCertificates(), testCertificates()]);
    const stage = new Stage(() => Promise.resolve(old.pair));
    await stage.clock.advance(0);

    stage.read = () => Promise.resolve({ ...old.pair, key: young.pair.key });
    await stage.clock.advance(10_000);
    expect([stage.served, stage.keeper.missing, stage.keeper.note]).toEqual([
      [old.pair.certificate],
      undefined,
      'the one before stays in use: the key does not belong to the certificate',
    ]);
    stage.read = () => Promise.resolve(young.pair);
    await stage.clock.advance(8_000);

    expect(stage.served).toEqual([old.pair.certificate, young.pair.certificate]);
    await stage.stop();
  });
});

describe('a certificate that kcp would not accept', () => {
  it('given one while another is served, then that is said and judged again and again, and not the new one; at first there is no choice', async () => {
    const [old, young] = await Promise.all([testCertificates(), testCertificates()]);
    const judged: string[] = [];
    let misfit: string | undefined = 'it is for another host';
    const fit = { misfitOf: () => misfit, judge: ({ certificate }: ServingPair) => void judged.push(certificate) };
    const stage = new Stage(() => Promise.resolve(old.pair), { fit });
    await stage.clock.advance(0);
    stage.read = () => Promise.resolve(young.pair);
    await stage.clock.advance(10 * 60_000);

    expect([stage.served, new Set(judged)]).toEqual([[old.pair.certificate], new Set([old.pair.certificate])]);
    expect([stage.keeper.missing, stage.keeper.note]).toEqual([undefined, 'the one before stays in use: it is for another host']);
    misfit = undefined;
    await stage.clock.advance(8_000);

    expect([stage.served, judged.at(-1), stage.keeper.note]).toEqual([
      [old.pair.certificate, young.pair.certificate],
      young.pair.certificate,
      undefined,
    ]);
    await stage.stop();
  });
});

describe('a certificate that is renewed', () => {
  it('given configurations that nobody has to be asked about, then they are asked about every half minute, and while a new pair waits', async () => {
    const [old, young] = await Promise.all([testCertificates(), testCertificates()]);
    const stage = new Stage(() => Promise.resolve(old.pair));
    await stage.clock.advance(4_000);
    const before = stage.asked;

    stage.read = () => Promise.resolve(young.pair);
    stage.bundles = [old.authority.certificate];
    await stage.clock.advance(6_000);
    expect([before, stage.asked > 1, stage.served]).toEqual([1, true, [old.pair.certificate]]);
    expect(stage.keeper.note).toMatch(/^a new certificate is held back since /);
    stage.bundles = [`${old.authority.certificate}${young.authority.certificate}`];
    await stage.clock.advance(8_000);

    expect([stage.served, stage.keeper.note]).toEqual([[old.pair.certificate, young.pair.certificate], undefined]);
    await stage.stop();
  });
});

describe('a certificate that kcp does not trust', () => {
  it('given configurations with another CA, then the keeper says so within half a minute, and no longer once they have the right one', async () => {
    const [served, other] = await Promise.all([testCertificates(), testCertificates()]);
    const stage = new Stage(() => Promise.resolve(served.pair));
    stage.bundles = [served.authority.certificate];
    await stage.clock.advance(2_000);
    expect(stage.keeper.note).toBeUndefined();

    stage.bundles = [served.authority.certificate, other.authority.certificate];
    await stage.clock.advance(30_000);
    expect([stage.keeper.missing, stage.keeper.note]).toEqual([
      undefined,
      expect.stringMatching(/^1 of the 2 CA bundles .* deletes are refused/),
    ]);

    stage.bundles = [served.authority.certificate];
    await stage.clock.advance(30_000);
    expect(stage.keeper.note).toBeUndefined();
    await stage.stop();
  });

  it('given configurations that could not be read, then nothing is said of them', async () => {
    const { pair } = await testCertificates();
    const stage = new Stage(() => Promise.resolve(pair));
    stage.bundles = [''];
    await stage.clock.advance(30_000);

    expect(stage.keeper.note).toBeUndefined();
    await stage.stop();
  });
});

describe(pairFromDirectory, () => {
  it('given a mounted Secret, then both files are read; given none, then the problem names the file', async () => {
    const { pair } = await testCertificates();
    const directory = await mkdtemp(join(tmpdir(), 'serving-pair-'));
    const options = { signal: new AbortController().signal };
    const read = pairFromDirectory(directory);

    await expect(read(options)).rejects.toThrow(`cannot read ${join(directory, 'tls.crt')}: no such file`);
    await writeFile(join(directory, 'tls.crt'), pair.certificate);
    await writeFile(join(directory, 'tls.key'), pair.key);

    expect(await read(options)).toEqual(pair);
    await rm(directory, { recursive: true });
  });
});

/** A keeper whose source a spec changes. */
class Stage {
  readonly clock = new ManualClock();
  readonly served: string[] = [];
  readonly keeper: CertificateKeeper;
  read: () => Promise<ServingPair>;
  bundles: readonly string[] = [];
  asked = 0;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  constructor(read: () => Promise<ServingPair>, more: Pick<CertificateKeeperDependencies, 'fit'> = {}) {
    this.read = read;
    this.keeper = new CertificateKeeper({
      ...more,
      readServingPair: () => this.read(),
      installedBundles: () => {
        this.asked += 1;
        return Promise.resolve(this.bundles);
      },
      serve: ({ certificate }) => void this.served.push(certificate),
      clock: this.clock,
    });
    this.#running = this.keeper.run(this.#stop.signal);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }
}

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { caBundleText, fadeInto, followCaBundle, nextFadeMs, parseCertificates, startCaBundle } from './ca-bundle.js';

const a = pem('AAAA');
const b = pem('BBBB');

describe(parseCertificates, () => {
  it('given two certificates in other spellings, then each is found once, in one spelling', () => {
    const text = `a comment\n-----BEGIN CERTIFICATE-----\r\nAA\r\nAA\r\n-----END CERTIFICATE-----\n${b}${b}`;

    expect(parseCertificates(text)).toEqual({ ok: true, value: [a, b] });
  });

  it.each(['', 'hello', '-----BEGIN CERTIFICATE-----\nAA', `${a}-----BEGIN PRIVATE KEY-----\nAA\n-----END PRIVATE KEY-----`])(
    'given %j, then it is a problem',
    (text) => expect(parseCertificates(text).ok).toBe(false),
  );
});

describe('a CA bundle over time', () => {
  it('given a rotation, then old and new are trusted until the overlap is over', () => {
    const rotated = followCaBundle(startCaBundle([a]), [b], 1000, 500);

    expect(caBundleText(rotated, 1499)).toBe(a + b);
    expect(nextFadeMs(rotated, 1499)).toBe(1500);
    expect(caBundleText(rotated, 1500)).toBe(b);
    expect(nextFadeMs(rotated, 1500)).toBeUndefined();
  });

  it('given a file that comes back to the old one, then both stay for the overlap', () => {
    const back = followCaBundle(followCaBundle(startCaBundle([a]), [b], 1000, 500), [a], 1100, 500);

    expect(caBundleText(back, 1200)).toBe(a + b);
    expect(caBundleText(back, 1600)).toBe(a);
  });

  it('given the same file again and again, then the overlap is not prolonged', () => {
    const rotated = followCaBundle(followCaBundle(startCaBundle([a]), [b], 1000, 500), [b], 1400, 500);

    expect(nextFadeMs(rotated, 1400)).toBe(1500);
  });

  it('given a file that only loses a certificate, then that one is trusted no more at once, also where it is found installed', () => {
    const rotated = followCaBundle(startCaBundle([a]), [b], 1000, 500);
    const both = followCaBundle(rotated, [a, b], 1100, 500);
    const shrunk = followCaBundle(both, [b], 1200, 500);

    expect(caBundleText(both, 1100)).toBe(a + b);
    expect(caBundleText(shrunk, 1200)).toBe(b);
    expect(caBundleText(fadeInto(shrunk, [a, b], 1300, 500), 1300)).toBe(b);
    expect(caBundleText(followCaBundle(shrunk, [a], 1400, 500), 1400)).toBe(a + b);
  });

  it('given certificates found installed after a restart, then they fade like rotated ones', () => {
    const started = fadeInto(startCaBundle([b]), [a, b], 1000, 500);

    expect(caBundleText(started, 1000)).toBe(a + b);
    expect(caBundleText(started, 1500)).toBe(b);
  });

  it('given any history, then the certificates of now are always trusted and the text does not depend on their order', () => {
    fc.assert(
      fc.property(fc.array(fc.uniqueArray(fc.constantFrom(a, b, pem('CCCC')), { minLength: 1 }), { minLength: 1 }), (history) => {
        const bundle = history.reduce((before, file, at) => followCaBundle(before, file, at * 100, 250), startCaBundle(history[0]!));
        const reversed = { ...bundle, current: [...bundle.current].reverse() };
        const now = history.length * 100;

        for (const certificate of history.at(-1)!) expect(caBundleText(bundle, now)).toContain(certificate);
        expect(caBundleText(reversed, now)).toBe(caBundleText(bundle, now));
      }),
    );
  });
});

function pem(body: string): string {
  return `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`;
}

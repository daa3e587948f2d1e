import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { caBundleText, fadeInto, followCaBundle, nextFadeMs, parseCertificates, startCaBundle } from './ca-bundle.js';

const a = pem('AAAA');
const b = pem('BBBB');
const c = pem('CCCC');

describe(parseCertificates, () => {
  it('given two certificates in other spellings, then each is found once, in one spelling', () => {
    const text = `a comment\n-----BEGIN CERTIFICATE-----\r\nAA\r\nAA\r\n-----END CERTIFICATE-----\n${b}${b}`;

    expect(parseCertificates(text)).toEqual({ ok: true, value: [a, b] });
  });

  it('given a long certificate in one line, then it is written in lines of 64 characters', () => {
    expect(parseCertificates(pem('A'.repeat(128) + 'B'))).toEqual({ ok: true, value: [pem(`${'A'.repeat(64)}\n${'A'.repeat(64)}\nB`)] });
    expect(parseCertificates(pem('A'.repeat(64)))).toEqual({ ok: true, value: [pem('A'.repeat(64))] });
  });

  const none = 'holds no PEM certificate';
  const other = 'holds a PEM block that is not a certificate: only certificates belong there';

  it.each([
    { text: '', problem: none },
    { text: 'hello', problem: none },
    { text: '-----BEGIN CERTIFICATE-----\nAA', problem: none },
    { text: '-----BEGIN CERTIFICATE-----\n\n-----END CERTIFICATE-----', problem: none },
    { text: `${a}-----BEGIN PRIVATE KEY-----\nAA\n-----END PRIVATE KEY-----`, problem: other },
  ])('given $text, then it $problem', ({ text, problem }) => {
    expect(parseCertificates(text)).toEqual({ ok: false, problem });
  });
});

describe('a CA bundle over time', () => {
  it('given certificates at the start, then nothing fades and nothing is distrusted', () => {
    expect(startCaBundle([a])).toEqual({ current: [a], fading: [], dropped: [] });
  });

  it('given a rotation of one certificate of two, then the one that goes fades', () => {
    const rotated = followCaBundle(startCaBundle([a, c]), [a, b], 1000, 500);

    expect(caBundleText(rotated, 1499)).toBe(a + b + c);
    expect(rotated.dropped).toEqual([]);
  });

  it('given rotations one after the other, then the text changes first when the first overlap is over', () => {
    const twice = followCaBundle(followCaBundle(startCaBundle([a]), [b], 1000, 500), [c], 1200, 500);

    expect(nextFadeMs(twice, 1200)).toBe(1500);
    expect(nextFadeMs(twice, 1500)).toBe(1700);
  });

  it('given one found installed that fades already, then its time is not prolonged; after that it fades anew', () => {
    const rotated = followCaBundle(startCaBundle([a]), [b], 1000, 500);

    expect(fadeInto(rotated, [a], 1400, 500).fading).toEqual([{ pem: a, untilMs: 1500 }]);
    expect(fadeInto(rotated, [a], 1500, 500).fading).toEqual([{ pem: a, untilMs: 2000 }]);
  });

  it('given a certificate that was distrusted and is back, when it is rotated out, then it fades', () => {
    const distrusted = followCaBundle(startCaBundle([a, b]), [b], 1000, 500);
    const back = followCaBundle(distrusted, [a], 2000, 500);

    expect(caBundleText(followCaBundle(back, [b], 3000, 500), 3000)).toBe(a + b);
  });

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
      fc.property(fc.array(fc.uniqueArray(fc.constantFrom(a, b, c), { minLength: 1 }), { minLength: 1 }), (history) => {
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

import { describe, expect, it } from '@jest/globals';
import type { LeftObject } from './next-step.js';
import { progressBar, progressText, showProgress } from './progress.js';

const waitingFor = (...finalizers: readonly string[]): LeftObject => ({
  type: { group: 'g.example.com', version: 'v1', resource: 'things' },
  name: 'a',
  uid: 'a',
  isTerminating: true,
  finalizers,
});

describe(progressText, () => {
  it.each([
    { given: 'nothing to delete', progress: { most: 0, left: [] }, text: '0 of 0 objects are gone' },
    { given: 'some gone', progress: { most: 3, left: [waitingFor()] }, text: '2 of 3 objects are gone' },
    {
      given: 'finalizers',
      progress: { most: 2, left: [waitingFor('b/x', 'a/x'), waitingFor('a/x')] },
      text: '0 of 2 objects are gone; 2 wait for their finalizers (a/x, b/x)',
    },
    {
      given: 'as many finalizers as a line holds',
      progress: { most: 1, left: [waitingFor('a', 'b', 'c')] },
      text: '0 of 1 objects are gone; 1 wait for their finalizers (a, b, c)',
    },
    {
      given: 'more finalizers than a line holds, and a note',
      progress: { most: 1, left: [waitingFor('a', 'b', 'c', 'd')], note: 'kcp waits' },
      text: '0 of 1 objects are gone; 1 wait for their finalizers (a, b, c and 1 more); kcp waits',
    },
  ])('given $given', ({ progress, text }) => expect(progressText(progress)).toBe(text));
});

describe(progressBar, () => {
  it.each([
    { given: 'a half', progress: { most: 2, left: [waitingFor()] }, bar: '[############............] 1 of 2 objects are gone' },
    { given: 'nothing to delete', progress: { most: 0, left: [] }, bar: '[########################] 0 of 0 objects are gone' },
  ])('given $given, then the bar is as full', ({ progress, bar }) => {
    expect(progressBar(progress)).toBe(bar);
  });
});

it.each([{ isTerminal: true }, { isTerminal: false }])(
  'given a terminal: $isTerminal, and nothing shown, then nothing is written',
  ({ isTerminal }) => {
    let written = '';
    const { end } = showProgress({ isTerminal, write: (text) => void (written += text) });

    end();

    expect(written).toBe('');
  },
);

it.each([
  { isTerminal: true, expected: '\r\u001B[K[........................] 0 of 1 objects are gone\n' },
  { isTerminal: false, expected: '0 of 1 objects are gone\n' },
])('given a terminal: $isTerminal, then what has not changed is shown once', ({ isTerminal, expected }) => {
  let written = '';
  const { show, end } = showProgress({ isTerminal, write: (text) => void (written += text) });

  show({ most: 1, left: [waitingFor()] });
  show({ most: 1, left: [waitingFor()] });
  end();

  expect(written).toBe(expected);
});

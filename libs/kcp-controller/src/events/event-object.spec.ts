import { describe, expect, it } from '@jest/globals';
import { eventName, eventNamespace, eventObject, type EventSubject, type SaidEvent } from './event-object.js';

const subject: EventSubject = {
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'w', namespace: 'n', uid: 'u1', resourceVersion: '7' },
};
const said: SaidEvent = { type: 'Warning', reason: 'Broken', message: 'it is broken' };
const count = { count: 3, firstMs: 1_000, lastMs: 61_999 };

describe(eventNamespace, () => {
  it.each([
    { metadata: { namespace: 'n' }, expected: 'n' },
    { metadata: { namespace: '' }, expected: 'default' },
    { metadata: {}, expected: 'default' },
  ])('given $metadata, then the event is in $expected', ({ metadata, expected }) => {
    expect(eventNamespace({ ...subject, metadata })).toBe(expected);
  });
});

describe(eventName, () => {
  const name = eventName(subject, said, 'me');

  it('given an event, then it is named after its subject and its words', () => {
    expect(name).toMatch(/^w\.[0-9a-f]{16}$/u);
    expect(eventName({ ...subject, metadata: { ...subject.metadata, resourceVersion: '8' } }, { ...said }, 'me')).toBe(name);
  });

  it.each([
    { given: 'another type', other: eventName(subject, { ...said, type: 'Normal' }, 'me') },
    { given: 'another reason', other: eventName(subject, { ...said, reason: 'Odd' }, 'me') },
    { given: 'another message', other: eventName(subject, { ...said, message: 'it is odd' }, 'me') },
    { given: 'another recorder', other: eventName(subject, said, 'you') },
    { given: 'another object', other: eventName({ ...subject, metadata: { name: 'w', uid: 'u2' } }, said, 'me') },
  ])('given $given, then the name is another one', ({ other }) => {
    expect(other).toMatch(/^w\.[0-9a-f]{16}$/u);
    expect(other).not.toBe(name);
  });

  it('given a long name, then only its begin is taken; given none, then no words stand for it or for the uid', () => {
    const nameless = eventName({ ...subject, metadata: {} }, said, 'me');

    expect(eventName({ ...subject, metadata: { name: 'w'.repeat(253) } }, said, 'me')).toMatch(/^w{200}\.[0-9a-f]{16}$/u);
    expect(nameless).toMatch(/^\.[0-9a-f]{16}$/u);
    expect(eventName({ ...subject, metadata: { name: '', uid: '' } }, said, 'me')).toBe(nameless);
  });
});

describe(eventObject, () => {
  it('given words about an object, then that is the event', () => {
    expect(eventObject(subject, said, 'me', count)).toStrictEqual({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { namespace: 'n', name: eventName(subject, said, 'me') },
      involvedObject: { apiVersion: 'example.com/v1', kind: 'Widget', name: 'w', namespace: 'n', uid: 'u1', resourceVersion: '7' },
      type: 'Warning',
      reason: 'Broken',
      message: 'it is broken',
      source: { component: 'me' },
      reportingComponent: 'me',
      firstTimestamp: '1970-01-01T00:00:01Z',
      lastTimestamp: '1970-01-01T00:01:01Z',
      count: 3,
    });
  });

  it('given an object without a namespace, then the event names none', () => {
    const { metadata, involvedObject } = eventObject(
      { ...subject, metadata: { name: 'w', uid: 'u1', resourceVersion: '7' } },
      said,
      'me',
      count,
    );

    expect(metadata.namespace).toBe('default');
    expect(involvedObject).toStrictEqual({ apiVersion: 'example.com/v1', kind: 'Widget', name: 'w', uid: 'u1', resourceVersion: '7' });
  });

  it('given a message that is too long, then it is cut', () => {
    expect(eventObject(subject, { ...said, message: 'm'.repeat(1_025) }, 'me', count)['message']).toBe('m'.repeat(1_024));
  });
});

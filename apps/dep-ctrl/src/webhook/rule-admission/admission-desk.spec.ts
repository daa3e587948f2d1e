import { describe, expect, it } from '@jest/globals';
import { MOST_RULES } from '@dep-ctrl/rule-registry';
import { ManualClock } from '@dep-ctrl/kcp-client/testing';
import { wire } from '../testing/reviews.js';
import { vpcDependency, writeReview, writtenGuard, writtenRule } from '../testing/written-rules.js';
import { AdmissionDesk, type AdmissionDeskDependencies } from './admission-desk.js';
import { NOTHING_READ } from './rule-readings.js';

const { signal } = new AbortController();
const uid = '705ab4f5-6393-11e8-b7cc-42010a800002';
const readingNothing: AdmissionDeskDependencies['reader'] = {
  read: () => Promise.resolve(NOTHING_READ),
  unboundAmong: () => Promise.resolve([]),
};
const UNPAIRED = vpcDependency({ fieldRef: { path: '.spec.a[*].name', namespacePath: '.spec.b[*].namespace' } });

async function answer(review: unknown, change: Partial<AdmissionDeskDependencies> = {}) {
  const desk = new AdmissionDesk({
    registry: { excessOf: () => undefined },
    reader: readingNothing,
    clock: new ManualClock(),
    ...change,
  });
  const { code, body } = await desk.answer(await desk.parse(Buffer.isBuffer(review) ? review : wire(review)), { signal });
  return code === 200 ? { code, ...(JSON.parse(body) as { response: object }) } : { code, body };
}

describe(AdmissionDesk, () => {
  it('given a rule that is well formed, then it is admitted', async () => {
    expect(await answer(writeReview(writtenRule()))).toEqual({
      code: 200,
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      response: { uid, allowed: true },
    });
  });

  it('given one problem, then the text is one line, and the status one that kubectl prints whole', async () => {
    expect(await answer(writeReview(writtenRule([UNPAIRED])))).toMatchObject({
      response: {
        uid,
        allowed: false,
        status: {
          code: 422,
          reason: 'Invalid',
          message: expect.stringMatching(/^DependencyRule vms: \.spec\.dependencies\[0\]\.fieldRef\.namespacePath: gives one name .*$/),
        },
      },
    });
  });

  it('given several problems, then each has a line, and there are no causes, for which kubectl would hide them', async () => {
    const { response } = (await answer(writeReview(writtenRule([UNPAIRED, vpcDependency(), vpcDependency()])))) as {
      response: { status: { message: string; details?: unknown } };
    };

    expect(response.status.message.split('\n')).toEqual([
      'DependencyRule vms: 2 problems',
      expect.stringMatching(/^- \.spec\.dependencies\[0\]/),
      expect.stringMatching(/^- \.spec\.dependencies\[2\]/),
    ]);
    expect(response.status.details).toBeUndefined();
  });

  it('given doubts, then they come as warnings', async () => {
    const reader = { ...readingNothing, read: () => Promise.resolve({ targets: new Map([[0, { isBound: false }]]) }) };

    expect(await answer(writeReview(writtenRule()), { reader })).toMatchObject({
      response: { allowed: true, warnings: [expect.stringContaining('no workspace at root:network binds dep-ctrl')] },
    });
  });

  it('given a workspace whose rules are as many as count, then another is refused and an edit is not', async () => {
    const registry: AdmissionDeskDependencies['registry'] = {
      excessOf: ({ cluster }, { isNew }) => (isNew && cluster === 'compute' ? { of: 'rules', count: MOST_RULES } : undefined),
    };

    const answers = await Promise.all(
      ['CREATE', 'UPDATE'].map((operation) => answer(writeReview(writtenRule(), { operation }), { registry })),
    );

    expect(answers).toMatchObject([{ response: { allowed: false } }, { response: { allowed: true } }]);
  });

  it('given a guard with a path that is none, then it is refused by its name', async () => {
    expect(await answer(writeReview(writtenGuard({ allowRulesFrom: ['a::b'] })))).toMatchObject({
      response: {
        allowed: false,
        status: { message: expect.stringMatching(/^DependencyGuard dependency-controller: \.spec\.allowRulesFrom\[0\]: /) },
      },
    });
  });

  it.each([
    ['a deletion', writeReview(null, { operation: 'DELETE' })],
    ['a status', writeReview(writtenRule([UNPAIRED]), { subResource: 'status' })],
  ])('given %s, which kcp was not told to ask about, then it passes', async (_given, review) => {
    expect(await answer(review)).toMatchObject({ response: { uid, allowed: true } });
  });

  it('given a review without an object, then it is refused with its uid and what is wrong', async () => {
    expect(await answer(writeReview(null))).toMatchObject({
      response: { uid, allowed: false, status: { code: 400, message: expect.stringMatching(/^the review cannot be read: /) } },
    });
  });

  it('given something that is no review, then the HTTP status says so', async () => {
    expect(await answer(Buffer.from('hello'))).toEqual({ code: 400, body: 'the body is not JSON\n' });
  });

  it('given a guard that admits rules from where nobody binds dep-ctrl, then that is a warning; of one that admits everybody nothing is asked', async () => {
    const asked: (readonly string[])[] = [];
    const reader: AdmissionDeskDependencies['reader'] = {
      ...readingNothing,
      unboundAmong: (paths) => {
        asked.push(paths);
        return Promise.resolve(paths.slice(1));
      },
    };

    const listed = await answer(writeReview(writtenGuard({ allowRulesFrom: ['root:compute', 'root:compte'] })), { reader });
    const open = await answer(writeReview(writtenGuard({})), { reader });

    expect(listed).toMatchObject({
      response: {
        allowed: true,
        warnings: [
          '.spec.allowRulesFrom: no workspace at root:compte binds dep-ctrl, so nobody is admitted by it: correct the path, or have its owner bind dep-ctrl',
        ],
      },
    });
    expect(open).toMatchObject({ response: { allowed: true } });
    expect(asked).toEqual([['root:compute', 'root:compte']]);
  });

  it('given a fault of our own, then the write is refused, and the uid is there', async () => {
    const reader = { ...readingNothing, read: () => Promise.reject(new Error('bug')) };

    expect(await answer(writeReview(writtenRule()), { reader })).toMatchObject({
      response: { uid, allowed: false, status: { code: 500 } },
    });
  });
});

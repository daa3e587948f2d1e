import { describe, expect, it } from '@jest/globals';
import { silentLogger } from '@dep-ctrl/kcp-client';
import { decideDeletion } from '../webhook/decide-deletion.js';
import { answerOf } from '../webhook/deny-message.js';
import type { Finding } from '../webhook/lookup.js';
import { dependent, finding, listed, person, rule, subject } from '../webhook/testing/builders.js';
import { decisionLog } from './decision-log.js';

describe(decisionLog, () => {
  it('given a rule that refuses, then the line names it', () => {
    expect(lineOf([finding(listed(dependent('my-vm')))])).toMatchObject({ because: 'in-use', rule: 'compute/vm-dependencies' });
  });

  it('given rules that only warn or audit, then the line names all of them and the first dependents', () => {
    const names = ['vm-1', 'vm-2', 'vm-3', 'vm-4'];
    const audited = finding(
      { answer: 'cannot-tell', failure: { code: 'timeout', lasting: false } },
      { rule: rule({ enforcement: 'Audit', name: 'other' }) },
    );

    const line = lineOf([finding(listed(...names.map((name) => dependent(name))), { rule: rule({ enforcement: 'Warn' }) }), audited]);

    expect(line).toMatchObject({
      because: 'tolerated',
      rule: 'compute/vm-dependencies, compute/other',
      dependents: expect.stringMatching(/vm-1.*vm-2.*vm-3$/),
      doubt: 'timeout',
    });
  });

  it('given nothing that refers to it, then no rule is named', () => {
    expect(lineOf([finding(listed())])).not.toHaveProperty('rule');
  });
});

function lineOf(findings: readonly Finding[]): unknown {
  const target = { guardedCluster: undefined, token: undefined, mode: 'enforcing', timeoutMs: 10_000 } as const;
  const lines: unknown[] = [];
  const decision = decideDeletion(subject(), target.mode, { state: 'rules-known', findings });
  const request = { subject: subject(), caller: person, isDryRun: false };
  decisionLog({ ...silentLogger, info: (_message, fields) => void lines.push(fields) }).decided({
    target,
    review: { kind: 'deletion', envelope: { apiVersion: 'admission.k8s.io/v1', uid: 'u' }, request },
    decision,
    answer: answerOf(decision, { subject: subject(), caller: person, mode: target.mode }),
    durationMs: 3,
  });
  return lines[0];
}

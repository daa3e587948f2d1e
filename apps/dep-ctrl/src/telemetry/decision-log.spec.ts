import { describe, expect, it } from '@jest/globals';
import { silentLogger, type Logger } from '@dep-ctrl/kcp-client';
import { decideDeletion } from '../webhook/decision/decide-deletion.js';
import { answerOf } from '../webhook/decision/deny-message.js';
import type { Evidence, Finding, LookupFailure } from '../webhook/decision/lookup.js';
import { dependent, finding, listed, person, rule, subject } from '../webhook/testing/builders.js';
import { decisionLog } from './decision-log.js';

const passing: LookupFailure = { code: 'timeout', lasting: false };

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

  it('given that dep-ctrl may not read, then a warning names what kcp refused, and the role that grants it', () => {
    const problem = 'cannot list virtualmachines.compute.example.com in "10f2": User "dep-ctrl" cannot list resource "virtualmachines"';
    const slow = finding({ answer: 'cannot-tell', failure: passing });
    const closed = finding({ answer: 'cannot-tell', failure: { code: 'forbidden', lasting: true, problem } });

    const lines = linesOf([slow, closed]);

    expect(lines).toEqual([
      [
        'warn',
        expect.objectContaining({
          because: 'cannot-tell',
          doubt: 'forbidden',
          problem,
          fix: expect.stringMatching(/^ClusterRole dep-ctrl:read-dependents:.*dep-ctrl bind PATH --shard-kubeconfig FILE/),
        }),
      ],
    ]);
  });

  it('given that dep-ctrl may not read what is bound, then a warning names what kcp refused, and the role that grants it', () => {
    const problem = 'cannot list apibindings.apis.kcp.io in "10f2": User "dep-ctrl" cannot list resource "apibindings"';

    const lines = linesFor({ state: 'bindings-unknown', failure: { code: 'forbidden', lasting: true, problem } });

    expect(lines).toEqual([
      [
        'warn',
        expect.objectContaining({
          because: 'bindings-unknown',
          doubt: 'forbidden',
          problem,
          fix: expect.stringMatching(/^ClusterRole dep-ctrl:read-dependents:/),
        }),
      ],
    ]);
  });

  it.each<{ given: string; evidence: Evidence }>([
    { given: 'a lookup', evidence: { state: 'rules-known', findings: [finding({ answer: 'cannot-tell', failure: passing })] } },
    { given: 'what is bound', evidence: { state: 'bindings-unknown', failure: passing } },
  ])('given a doubt about $given that passes by itself, then nobody is warned', ({ evidence }) => {
    expect(linesFor(evidence)).toEqual([['info', expect.objectContaining({ doubt: 'timeout' })]]);
  });

  it('given nothing that refers to it, then no rule is named', () => {
    expect(lineOf([finding(listed())])).not.toHaveProperty('rule');
  });
});

function lineOf(findings: readonly Finding[]): unknown {
  return linesOf(findings)[0]?.[1];
}

function linesOf(findings: readonly Finding[]): ReturnType<typeof linesFor> {
  return linesFor({ state: 'rules-known', findings });
}

function linesFor(evidence: Evidence): (readonly [level: 'info' | 'warn', fields: unknown])[] {
  const target = { guardedCluster: undefined, token: undefined, mode: 'enforcing', timeoutMs: 10_000 } as const;
  const lines: (readonly ['info' | 'warn', unknown])[] = [];
  const decision = decideDeletion(subject(), target.mode, evidence);
  const request = { subject: subject(), caller: person, isDryRun: false };
  const logger: Logger = {
    ...silentLogger,
    info: (_message, fields) => void lines.push(['info', fields]),
    warn: (_message, fields) => void lines.push(['warn', fields]),
  };
  decisionLog(logger).decided({
    target,
    review: { kind: 'deletion', envelope: { apiVersion: 'admission.k8s.io/v1', uid: 'u' }, request },
    decision,
    answer: answerOf(decision, { subject: subject(), caller: person, mode: target.mode }),
    durationMs: 3,
  });
  return lines;
}

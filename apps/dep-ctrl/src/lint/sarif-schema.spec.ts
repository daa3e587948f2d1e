import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { FINDING_REASONS, type Finding, type FindingReason } from './finding.js';
import { sarifLog } from './sarif.js';

// Microsoft's package ships the schema that OASIS published. It is of JSON Schema draft 4, of which it uses what draft 7 means alike.
const lib = dirname(createRequire(import.meta.url).resolve('@microsoft/jest-sarif'));
const {
  $schema: _draft,
  id: _id,
  ...schema
} = JSON.parse(readFileSync(join(lib, 'schemas/sarif-2.1.0-rtm.5.json'), 'utf8')) as Record<string, unknown>;
const validate = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(schema);

const finding = (reason: FindingReason, change: Partial<Finding> = {}): Finding => ({
  file: 'rules/a b.yaml',
  line: 3,
  column: 5,
  endLine: 3,
  endColumn: 9,
  level: 'error',
  reason,
  object: 'DependencyRule x',
  path: '.spec',
  message: 'is "odd" \u202e <b>',
  ...change,
});

const logOf = (findings: readonly Finding[]) => sarifLog({ files: 1, rules: 1, guards: 0, passedOver: [], findings });

describe(sarifLog, () => {
  it('given findings of every reason, then the log is what the published schema of SARIF 2.1.0 admits', () => {
    const reasons = Object.keys(FINDING_REASONS) as FindingReason[];
    const log = logOf([...reasons.map((reason) => finding(reason)), finding('TypeCycle', { level: 'warning', file: '/abs/ü.yaml' })]);

    expect([validate(log), validate.errors]).toEqual([true, null]);
    expect(validate(logOf([]))).toBe(true);
    expect(validate({ ...log, version: '2' })).toBe(false);
  });
});

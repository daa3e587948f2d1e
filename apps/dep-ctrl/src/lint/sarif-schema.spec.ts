import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { FINDING_REASONS, type FindingReason } from './finding.js';
import { sarifLog } from './sarif.js';
import { finding, logOf } from './spec-support/sarif-findings.js';

// Microsoft's package ships the schema that OASIS published. It is of JSON Schema draft 4, of which it uses what draft 7 means alike.
const lib = dirname(createRequire(import.meta.url).resolve('@microsoft/jest-sarif'));
const {
  $schema: _draft,
  id: _id,
  ...schema
} = JSON.parse(readFileSync(join(lib, 'schemas/sarif-2.1.0-rtm.5.json'), 'utf8')) as Record<string, unknown>;
const validate = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(schema);

describe(sarifLog, () => {
  it('given findings of every reason, then the log is what the published schema of SARIF 2.1.0 admits', () => {
    const reasons = Object.keys(FINDING_REASONS) as FindingReason[];
    const log = logOf([...reasons.map((reason) => finding(reason)), finding('TypeCycle', { level: 'warning', file: '/abs/ü.yaml' })]);

    expect([validate(log), validate.errors]).toEqual([true, null]);
    expect(validate(logOf([]))).toBe(true);
    expect(validate({ ...log, version: '2' })).toBe(false);
  });
});

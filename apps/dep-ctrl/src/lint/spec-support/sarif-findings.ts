// Findings for the specs of SARIF.
import type { Finding, FindingReason } from '../finding.js';
import { sarifLog } from '../sarif.js';

/** A finding with odd signs in its texts, of two lines. */
export function finding(reason: FindingReason, change: Partial<Finding> = {}): Finding {
  return {
    file: 'rules/a b.yaml',
    line: 3,
    column: 5,
    endLine: 4,
    endColumn: 9,
    level: 'error',
    reason,
    object: 'DependencyRule x',
    path: '.spec',
    message: 'is "odd" \u202e <b>',
    ...change,
  };
}

/** The log of findings in one file. */
export function logOf(findings: readonly Finding[]): ReturnType<typeof sarifLog> {
  return sarifLog({ files: 1, rules: 1, guards: 0, passedOver: [], findings });
}

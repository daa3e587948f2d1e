// Findings for people, one a line, as compilers print them. Pure.
import { plainText } from '@dep-ctrl/command-settings';
import { countOf, type Finding, type LintReport } from './finding.js';

/** All findings, then what was passed over, then the sum. */
export function printFindings(report: LintReport): string {
  const passedOver = report.passedOver.map(({ apiVersion, kind, count }) =>
    kind === '' ? `${count} without a kind` : `${count} ${kind}${apiVersion === '' ? '' : ` (${apiVersion})`}`,
  );
  const lines = [
    ...report.findings.map(printFinding),
    ...(passedOver.length === 0 ? [] : [`note: not checked, as these kinds are not of dep-ctrl: ${passedOver.join(', ')}`]),
    `${countText(report.files, 'file')}, ${countText(report.rules, 'rule')}, ${countText(report.guards, 'guard')}: ${summaryOf(report)}`,
  ];
  return lines.map((line) => `${plainText(line)}\n`).join('');
}

/** `2 problems, 1 warning`. */
export function summaryOf(report: LintReport): string {
  return `${countText(countOf(report, 'error'), 'problem')}, ${countText(countOf(report, 'warning'), 'warning')}`;
}

/** What a finding says, wherever it is printed: about which object, where in it, and what. */
export function findingText({ object, path, message }: Finding): string {
  return [object, path, message].filter((part) => part !== undefined && part !== '').join(': ');
}

function printFinding(finding: Finding): string {
  return `${finding.file}:${finding.line}:${finding.column}: ${finding.level}: ${findingText(finding)}`;
}

function countText(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

// Findings as SARIF 2.1.0, which code hosts show beside the lines. Pure.
import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { VERSION } from '../command-line/version.js';
import { FINDING_REASONS, type Finding, type LintReport } from './finding.js';
import { findingText } from './print-findings.js';

/** The log, ready to be printed as JSON. */
export function sarifLog({ findings }: LintReport): object {
  const ids = [...new Set(findings.map(({ reason }) => reason))].toSorted();
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'dep-ctrl',
            version: VERSION,
            rules: ids.map((id) => ({ id, name: id, shortDescription: { text: FINDING_REASONS[id] } })),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: findings.map((finding) => ({
          ruleId: finding.reason,
          ruleIndex: ids.indexOf(finding.reason),
          level: finding.level,
          message: { text: findingText(finding) },
          locations: [locationOf(finding)],
        })),
      },
    ],
  };
}

function locationOf({ file, line, column, endLine, endColumn }: Finding): object {
  const region = { startLine: line, startColumn: column, endLine, endColumn };
  return { physicalLocation: { artifactLocation: { uri: uriOf(file) }, region } };
}

/** Relative to where lint was started, as its user named the file. */
function uriOf(file: string): string {
  if (isAbsolute(file)) return pathToFileURL(file).href;
  return file.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/');
}

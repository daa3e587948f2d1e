import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { sarifLog } from './sarif.js';
import { finding, logOf } from './spec-support/sarif-findings.js';

describe(sarifLog, () => {
  it('given findings, then each has its rule, its place and a URI', () => {
    const absolute = resolve('/abs/ü.yaml');
    const log = logOf([
      finding('TypeCycle', { level: 'warning' }),
      finding('Invalid', { file: absolute }),
      finding('TypeCycle', { file: 'a\\b/c.yaml' }),
    ]);

    const region = { startLine: 3, startColumn: 5, endLine: 4, endColumn: 9 };
    const locationOf = (uri: string) => [{ physicalLocation: { artifactLocation: { uri }, region } }];
    const message = { text: 'DependencyRule x: .spec: is "odd" \u202e <b>' };
    expect(log).toEqual({
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      runs: [
        {
          tool: {
            driver: {
              name: 'dep-ctrl',
              version: expect.stringMatching(/^\d/),
              rules: [
                {
                  id: 'Invalid',
                  name: 'Invalid',
                  shortDescription: { text: 'A field is missing, or its value is not what the schema admits.' },
                },
                { id: 'TypeCycle', name: 'TypeCycle', shortDescription: { text: 'Types refer to each other in a circle.' } },
              ],
            },
          },
          columnKind: 'utf16CodeUnits',
          results: [
            { ruleId: 'TypeCycle', ruleIndex: 1, level: 'warning', message, locations: locationOf('rules/a%20b.yaml') },
            { ruleId: 'Invalid', ruleIndex: 0, level: 'error', message, locations: locationOf(pathToFileURL(absolute).href) },
            { ruleId: 'TypeCycle', ruleIndex: 1, level: 'error', message, locations: locationOf('a/b/c.yaml') },
          ],
        },
      ],
    });
  });
});

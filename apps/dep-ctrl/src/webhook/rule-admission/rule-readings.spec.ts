import { describe, expect, it } from '@jest/globals';
import { NOTHING_READ, schemaIn, type RuleReadings } from './rule-readings.js';

const schema = { metadata: { name: 'v1.vms.compute.example.com' } };

describe(schemaIn, () => {
  it.each<{ given: string; readings: RuleReadings; expected: object | undefined }>([
    { given: 'nothing that was read', readings: NOTHING_READ, expected: undefined },
    {
      given: 'a schema that was found',
      readings: { ...NOTHING_READ, dependent: { state: 'found', schema } },
      expected: schema,
    },
    {
      given: 'a dependent of which something does not exist',
      readings: {
        ...NOTHING_READ,
        dependent: { state: 'not-exported', reason: 'ExportNotFound', message: 'there is none', namesExports: false },
      },
      expected: undefined,
    },
  ])('given $given, then the schema is $expected', ({ readings, expected }) => {
    expect(schemaIn(readings)).toBe(expected);
  });
});

it('given nothing that was read, then there are no facts about any target', () => {
  expect(NOTHING_READ).toEqual({ targets: new Map() });
});

import { describe, expect, it } from '@jest/globals';
import { KcpError, type KcpErrorCode, type Status } from '@dep-ctrl/kcp-client';
import { missingRight } from './missing-right.js';

const STATUS: Status = { kind: 'Status', code: 403, details: { kind: 'vpcs' } };
const WEBHOOK: Status = { kind: 'Status', code: 403 };
const refused = (statusBody?: Status, code: KcpErrorCode = 'forbidden'): KcpError =>
  new KcpError({ code, asked: 'list vpcs', at: 'https://kcp', problem: 'no', status: 403, ...(statusBody && { statusBody }) });

describe(missingRight, () => {
  it.each([
    {
      given: 'the type may not be read',
      asked: 'type',
      error: refused(STATUS),
      rules: false,
      advice: /^grant "list" and "watch" on workspacetypes.tenancy.kcp.io "ordered" and "access" on "\/"/,
    },
    {
      given: 'the virtual workspace is closed',
      asked: 'view',
      error: refused(STATUS),
      rules: false,
      advice: /^grant "terminate" on workspacetypes.tenancy.kcp.io "ordered"/,
    },
    {
      given: 'no rule of the type admits it',
      asked: 'content',
      error: refused(),
      rules: true,
      advice: /^add a rule for this to spec.terminatorPermissions of WorkspaceType "ordered"$/,
    },
    {
      given: 'the creator may not do it',
      asked: 'content',
      error: refused(STATUS),
      rules: false,
      advice: /^the creator of the workspace may not do this: name what is needed in spec.terminatorPermissions/,
    },
    { given: 'the workspace waits no more', asked: 'content', error: refused(), rules: false, advice: undefined },
    { given: 'a webhook refuses, as the type admits all', asked: 'content', error: refused(STATUS), rules: true, advice: undefined },
    { given: 'a webhook refuses the creator', asked: 'content', error: refused(WEBHOOK), rules: false, advice: undefined },
    { given: 'another failure', asked: 'view', error: refused(STATUS, 'conflict'), rules: false, advice: undefined },
    { given: 'an error of the author', asked: 'content', error: new Error('forbidden'), rules: true, advice: undefined },
  ] as const)('given $given, then the line says what to grant, or nothing', ({ asked, error, rules, advice }) => {
    const said = missingRight(error, asked, { kind: 'terminating', typeName: 'ordered', namesPermissions: rules });

    if (advice === undefined) expect(said).toBeUndefined();
    else expect(said).toMatch(advice);
  });

  it('given initializers, then the verb is the other one', () => {
    const said = missingRight(refused(STATUS), 'view', { kind: 'initializing', typeName: 'ordered', namesPermissions: false });

    expect(said).toContain('grant "initialize"');
  });
});

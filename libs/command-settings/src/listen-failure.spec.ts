import { describe, expect, it } from '@jest/globals';
import { listenFailure } from './listen-failure.js';

const coded = (code: string): Error => Object.assign(new Error(`listen ${code}`), { code });
const health = { flag: '--health-probe-bind-address', address: { host: '127.0.0.1', port: 8081 } };

describe(listenFailure, () => {
  it.each([
    { code: 'EADDRINUSE', problem: 'the port is taken, give another one (port 0 picks a free one)' },
    { code: 'EACCES', problem: 'not permitted, give a port above 1023' },
    { code: 'EADDRNOTAVAIL', problem: 'this machine does not have that address' },
    { code: 'ENOTFOUND', problem: 'this machine does not have that address' },
  ])('given $code, then the flag, the address and the remedy are named', ({ code, problem }) => {
    expect(listenFailure(coded(code), health)).toEqual(
      new Error(`--health-probe-bind-address: cannot listen on 127.0.0.1:8081: ${problem}`),
    );
  });

  it('given an address on all interfaces, then only its port is named', () => {
    expect(listenFailure(coded('EACCES'), { flag: '--port', address: { port: 80 } })).toEqual(
      new Error('--port: cannot listen on :80: not permitted, give a port above 1023'),
    );
  });

  it.each([
    { given: 'an error with another code', error: coded('EMFILE') },
    { given: 'an error without a code', error: new Error('EACCES') },
    { given: 'what is no error', error: { code: 'EACCES' } },
    { given: 'nothing', error: undefined },
  ])('given $given, then it stays as it is', ({ error }) => {
    expect(listenFailure(error, health)).toBe(error);
  });
});

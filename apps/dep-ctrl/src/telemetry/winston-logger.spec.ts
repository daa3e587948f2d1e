import { describe, expect, it } from '@jest/globals';
import { winstonLogger, type LogFormat, type LogLevel } from './winston-logger.js';

function logging(logFormat: LogFormat, logLevel: LogLevel = 'info') {
  const lines: string[] = [];
  return { lines, logger: winstonLogger({ logFormat, logLevel, write: (line) => lines.push(line) }) };
}

describe(winstonLogger, () => {
  it('given json, then each line is one object with level, message, time and fields', () => {
    const { lines, logger } = logging('json');

    logger.info('configuration written', { cluster: 'abc', rules: 2 });

    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/\n$/);
    expect(JSON.parse(lines[0]!)).toEqual({
      level: 'info',
      message: 'configuration written',
      cluster: 'abc',
      rules: 2,
      timestamp: expect.stringMatching(/^\d{4}-/),
    });
  });

  it('given text, then fields follow the message and texts with blanks are quoted', () => {
    const { lines, logger } = logging('text');

    logger.warn('claim is not accepted', { path: 'root:a', problem: 'two words', count: 0, missing: undefined });

    expect(lines).toEqual([
      expect.stringMatching(/^\d\d:\d\d:\d\d\.\d{3} warn {2}claim is not accepted path=root:a problem="two words" count=0\n$/),
    ]);
  });

  it('given a level, then lighter lines are not written', () => {
    const { lines, logger } = logging('text', 'warn');

    logger.debug('a');
    logger.info('b');
    logger.error('c');

    expect(lines).toEqual([expect.stringContaining('error c')]);
  });

  it('given an error as a field, then its message and causes are written, not an empty object', () => {
    const { lines, logger } = logging('json');

    logger.error('gave up', { error: new Error('cannot read', { cause: new Error('no such file') }) });

    expect(JSON.parse(lines[0]!)).toMatchObject({ error: 'cannot read: no such file' });
  });

  it('given a field named like a part of the line, then the line keeps its own', () => {
    const { lines, logger } = logging('json');

    logger.info('read', { message: 'forged', level: 'error' });

    expect(JSON.parse(lines[0]!)).toMatchObject({ message: 'read', level: 'info', message_: 'forged', level_: 'error' });
  });
});

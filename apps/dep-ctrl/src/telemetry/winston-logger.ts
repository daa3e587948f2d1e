// The Logger port of the libs on winston: text for people at a terminal, one JSON object per line for machines. Messages are constant; fields hold the
// values.
import { createLogger, format } from 'winston';
import { Writable } from 'node:stream';
import { isNativeError } from 'node:util/types';
import type { Logger } from '@dep-ctrl/kcp-client';
import { describeFailure } from '@dep-ctrl/command-settings';

// Where winston's formats leave the finished line.
const LINE = Symbol.for('message');

/** How log lines look. */
export type LogFormat = 'text' | 'json';

/** The lowest level that is written. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** The fields of a log line. */
type Fields = Readonly<Record<string, unknown>>;

/** A logger that writes finished lines to `write`. */
export function winstonLogger({
  logFormat,
  logLevel,
  write,
}: {
  readonly logFormat: LogFormat;
  readonly logLevel: LogLevel;
  readonly write: (line: string) => void;
}): Logger {
  const winston = createLogger({
    level: logLevel,
    format: logFormat === 'json' ? format.combine(format.timestamp(), format.json()) : format.combine(format.timestamp(), textLine()),
  });
  winston.pipe(
    new Writable({
      objectMode: true,
      write: (info: { readonly [LINE]?: string }, _encoding, done) => {
        write(`${info[LINE] ?? ''}\n`);
        done();
      },
    }),
  );
  const log = (level: LogLevel, message: string, fields: Fields | undefined) => {
    if (winston.isLevelEnabled(level)) winston.log({ ...speaking(fields), level, message });
  };
  return {
    debug: (message, fields) => log('debug', message, fields),
    info: (message, fields) => log('info', message, fields),
    warn: (message, fields) => log('warn', message, fields),
    error: (message, fields) => log('error', message, fields),
  };
}

// An Error has no enumerable properties: as JSON it would be {}.
function speaking(fields: Fields | undefined): Fields {
  return Object.fromEntries(
    Object.entries(fields ?? {}).map(([key, value]) => [
      key === 'level' || key === 'message' || key === 'timestamp' ? `${key}_` : key,
      isNativeError(value) ? describeFailure(value) : value,
    ]),
  );
}

function textLine(): ReturnType<typeof format.printf> {
  return format.printf(({ timestamp, level, message, ...fields }) => {
    const time = typeof timestamp === 'string' ? timestamp.slice(11, 23) : '';
    const pairs = Object.entries(fields).flatMap(([key, value]) => (value === undefined ? [] : [` ${key}=${textOf(value)}`]));
    return `${time} ${level.padEnd(5)} ${String(message)}${pairs.join('')}`;
  });
}

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : ((JSON.stringify(value) as string | undefined) ?? '');
  return typeof value === 'string' && (text === '' || /[\s"=]/.test(text)) ? JSON.stringify(text) : text;
}

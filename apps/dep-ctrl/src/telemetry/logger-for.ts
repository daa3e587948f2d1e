import type { Logger } from '@dep-ctrl/kcp-client';
import type { World } from '@dep-ctrl/command-settings';
import { winstonLogger, type LogFormat, type LogLevel } from './winston-logger.js';

/** The logger that a command line asks for: to stderr, for people on a terminal, for machines elsewhere. */
export function loggerFor(
  settings: { readonly logFormat: LogFormat | undefined; readonly logLevel: LogLevel | undefined },
  { stderr }: Pick<World, 'stderr'>,
  defaultLevel: LogLevel,
): Logger {
  return winstonLogger({
    logFormat: settings.logFormat ?? (stderr.isTerminal ? 'text' : 'json'),
    logLevel: settings.logLevel ?? defaultLevel,
    write: (line) => stderr.write(line),
  });
}

/** What a log line says beside its message: identities and numbers, never whole objects or secrets. */
export type LogFields = Readonly<Record<string, unknown>>;

/** The logger that every part here takes: a constant message, then fields. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

const nothing = (): void => undefined;

/** Says nothing; the default everywhere. */
export const silentLogger: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };

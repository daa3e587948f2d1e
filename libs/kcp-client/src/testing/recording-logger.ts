import type { Logger } from '../running/logger.js';

/** Keeps lines as `level message {fields}`. */
export function recordingLogger(lines: string[]): Logger {
  const at =
    (level: string) =>
    (message: string, fields: object = {}) =>
      void lines.push(`${level} ${message} ${printFields(fields)}`);
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

function printFields(fields: object): string {
  return JSON.stringify(fields, (_key, value: unknown) => (value instanceof Error ? value.message : value));
}

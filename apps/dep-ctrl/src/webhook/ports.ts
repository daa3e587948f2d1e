/** Time, injected. */
export interface Clock {
  now(): number;
  monotonic(): number;
  sleep(ms: number, options: { readonly signal: AbortSignal }): Promise<void>;
}
/** Where log lines go. */
export interface Logger {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}
/** Something that works until it is told to stop. */
export interface Runnable {
  run(signal: AbortSignal): Promise<void>;
}

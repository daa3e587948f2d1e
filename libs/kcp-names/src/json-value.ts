// Reads JSON values of unknown shape.

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A JSON object, or undefined for anything else. */
export function record(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isRecord(value) ? value : undefined;
}

/** The JSON object in a field of another one; an empty one where something else is. */
export function recordAt(object: Readonly<Record<string, unknown>>, field: string): Readonly<Record<string, unknown>> {
  return record(object[field]) ?? {};
}

/** A string that is not empty. Kubernetes leaves empty ones out or writes them, and means the same. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The elements of a JSON array; nothing for anything else. */
export function elements(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

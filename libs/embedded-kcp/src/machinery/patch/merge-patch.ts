import { isRecord, without, type JsonRecord } from '../../json.js';

/** RFC 7386: objects merge, null removes, everything else replaces. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  return Object.entries(patch).reduce<JsonRecord>(
    (result, [key, value]) => (value === null ? without(result, key) : { ...result, [key]: mergePatch(result[key], value) }),
    isRecord(target) ? target : {},
  );
}

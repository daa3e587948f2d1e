import { isRecord, type KubeObject } from '@dep-ctrl/kcp-names';

/**
 * The observed object with everything that `desired` says, or undefined when it already says so. Fields that only the server knows stay:
 * defaults inside objects and list items, metadata, status. Lists are compared item by item and replaced as a whole.
 */
export function mergeDesired(observed: KubeObject, desired: KubeObject): KubeObject | undefined {
  const { metadata, ...fields } = desired;
  const wanted = {
    ...fields,
    metadata: { ...(metadata.labels && { labels: metadata.labels }), ...(metadata.annotations && { annotations: metadata.annotations }) },
  };
  if (says(observed, wanted)) return undefined;
  return merge(observed, wanted) as KubeObject;
}

function says(observed: unknown, desired: unknown): boolean {
  if (Array.isArray(desired)) {
    return Array.isArray(observed) && observed.length === desired.length && desired.every((item, index) => says(observed[index], item));
  }
  if (isRecord(desired)) {
    const found = observed ?? {};
    return isRecord(found) && Object.entries(desired).every(([key, value]) => value === undefined || says(found[key], value));
  }
  return observed === desired;
}

function merge(observed: unknown, desired: unknown): unknown {
  if (!isRecord(desired) || !isRecord(observed)) return says(observed, desired) ? observed : desired;
  const merged: Record<string, unknown> = { ...observed };
  for (const [key, value] of Object.entries(desired)) if (value !== undefined) merged[key] = merge(observed[key], value);
  return merged;
}

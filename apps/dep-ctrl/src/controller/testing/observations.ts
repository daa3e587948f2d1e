// What a spec reads from objects, and how it waits for them.
import { systemClock } from '@dep-ctrl/kcp-client';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { until } from '@dep-ctrl/kcp-objects';

/** Longer than anything here takes on a machine that does eight other things. */
const patience = { clock: systemClock, signal: new AbortController().signal, timeoutMs: 60_000 };

/** Waits until a question has the wanted answer; fails with the last one. */
export async function eventually<T>(ask: () => Promise<T> | T, isWanted: (answer: T) => boolean): Promise<T> {
  return until(
    'what the spec waits for',
    async () => {
      const answer = await ask();
      return isWanted(answer) ? { done: answer } : { waitingFor: `the last answer was ${JSON.stringify({ answer })}` };
    },
    patience,
  );
}

/** Waits until a question is answered so. */
export async function eventuallyIs<T>(ask: () => Promise<T> | T, wanted: T): Promise<void> {
  await eventually(ask, (answer) => answer === wanted);
}

/** `status reason` of a condition. */
export function conditionOf(object: KubeObject | undefined, type: string): string {
  const conditions = (statusOf(object)['conditions'] ?? []) as readonly { type: string; status: string; reason: string }[];
  const found = conditions.find((condition) => condition.type === type);
  return found === undefined ? 'none' : `${found.status} ${found.reason}`;
}

/** The resources per entry of a configuration: `bypass: vpcs`. */
export function entriesIn(configuration: KubeObject | undefined): readonly string[] {
  const webhooks = (configuration?.['webhooks'] ?? []) as readonly { name: string; rules: readonly { resources: readonly string[] }[] }[];
  return webhooks.map(({ name, rules }) => `${name.split('.')[0] ?? ''}: ${rules.flatMap(({ resources }) => resources).join(' ')}`);
}

/** The status of an object; empty where it has none. */
export function statusOf(object: KubeObject | undefined): Readonly<Record<string, unknown>> {
  return (object?.['status'] ?? {}) as Readonly<Record<string, unknown>>;
}

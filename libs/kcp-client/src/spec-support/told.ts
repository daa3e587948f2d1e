import { groupVersionResourceKey } from '@dep-ctrl/kcp-names';
import type { EndpointEvent, Observed, ReflectorEvent } from '../index.js';

/** What was told, in words; and a promise for the moment when it is enough. */
export class Told<E> {
  readonly events: E[] = [];
  #waiting: { readonly enough: () => boolean; readonly resolve: () => void }[] = [];

  readonly take = (event: E): void => {
    this.events.push(event);
    this.check();
  };

  /** Looks anew, after something beside the events has changed. */
  check(): void {
    for (const { enough, resolve } of this.#waiting) if (enough()) resolve();
    this.#waiting = this.#waiting.filter(({ enough }) => !enough());
  }

  until(enough: () => boolean): Promise<void> {
    return enough() ? Promise.resolve() : new Promise((resolve) => this.#waiting.push({ enough, resolve }));
  }
}

/** The objects that events add up to: `cluster/name` to resourceVersion. */
export class Mirror {
  readonly objects = new Map<string, string>();
  /** Events that told nothing new, or of a deletion of what was not there. */
  doubled = 0;

  take(event: ReflectorEvent): void {
    switch (event.kind) {
      case 'replaced':
        this.objects.clear();
        for (const object of event.objects) this.#set(object);
        break;
      case 'applied':
        if (this.objects.get(keyOf(event.object)) === event.object.object.metadata.resourceVersion) this.doubled += 1;
        this.#set(event.object);
        break;
      case 'deleted':
        if (!this.objects.delete(keyOf(event.object))) this.doubled += 1;
        break;
      case 'undecodable':
        break;
      default:
        event satisfies never;
    }
  }

  names(): readonly string[] {
    return [...this.objects.keys()].map((key) => key.slice(key.indexOf('/') + 1)).sort();
  }

  #set(object: Observed): void {
    this.objects.set(keyOf(object), String(object.object.metadata.resourceVersion));
  }
}

/** A mirror per endpoint and type; withdrawn ones are dropped. */
export class EndpointMirrors {
  readonly mirrors = new Map<string, Mirror>();

  take(event: EndpointEvent): void {
    if (event.kind === 'withdrawn') {
      for (const key of this.mirrors.keys()) if (key.startsWith(`${event.endpoint} `)) this.mirrors.delete(key);
    }
    if (event.kind !== 'observed') return;
    const key = `${event.endpoint} ${groupVersionResourceKey(event.type)}`;
    const mirror = this.mirrors.get(key) ?? new Mirror();
    this.mirrors.set(key, mirror);
    mirror.take(event.event);
  }

  /** The names of all objects of a type, at all endpoints. */
  names(resource: string): readonly string[] {
    return [...this.mirrors].flatMap(([key, mirror]) => (key.endsWith(`/${resource}`) ? mirror.names() : [])).sort();
  }
}

function keyOf({ cluster, object }: Observed): string {
  return `${cluster}/${String(object.metadata.name)}`;
}

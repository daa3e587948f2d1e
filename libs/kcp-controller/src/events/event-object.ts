import { createHash } from 'node:crypto';
import { timestamp, type KubeObject, type ObjectMeta } from '@dep-ctrl/kcp-names';

/** What an event is about. */
export interface EventSubject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

/** What an event says. */
export interface SaidEvent {
  readonly type: 'Normal' | 'Warning';
  /** A machine value in CamelCase. */
  readonly reason: string;
  readonly message: string;
}

/** How often something was said, and when. Times are of the wall clock. */
export interface EventCount {
  readonly count: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

/** Kubernetes refuses longer ones. */
const MOST_MESSAGE = 1_024;

/** The namespace of an event: that of its subject, else `default`, as Kubernetes' own recorders do. */
export function eventNamespace({ metadata: { namespace } }: EventSubject): string {
  return namespace === undefined || namespace === '' ? 'default' : namespace;
}

/** The name of an event: the same for the same words of the same recorder about the same object, whichever process says them. */
export function eventName(subject: EventSubject, { type, reason, message }: SaidEvent, component: string): string {
  const { uid = '', name = '' } = subject.metadata;
  const hash = createHash('sha256')
    .update(JSON.stringify([component, uid, type, reason, message]))
    .digest('hex');
  return `${name.slice(0, 200)}.${hash.slice(0, 16)}`;
}

/** A core v1 Event. Pure. */
export function eventObject(subject: EventSubject, said: SaidEvent, component: string, { count, firstMs, lastMs }: EventCount): KubeObject {
  const { apiVersion, kind, metadata } = subject;
  const { name, namespace, uid, resourceVersion } = metadata;
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { namespace: eventNamespace(subject), name: eventName(subject, said, component) },
    involvedObject: { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }), uid, resourceVersion },
    type: said.type,
    reason: said.reason,
    message: said.message.slice(0, MOST_MESSAGE),
    source: { component },
    reportingComponent: component,
    firstTimestamp: timestamp(firstMs),
    lastTimestamp: timestamp(lastMs),
    count,
  };
}

import { EndpointObjects, type EndpointObjectsReader, type TouchedObject } from '@dep-ctrl/kcp-client';

/** The four kinds that an endpoint of our export is watched for. */
export type SeenKind = 'rules' | 'guards' | 'bindings' | 'configurations';

/** One object as an endpoint shows it. */
export type { Seen } from '@dep-ctrl/kcp-client';

/** One object that may have changed. */
export type Touched = TouchedObject<SeenKind>;

/** What readers may ask. */
export type SeenReader = EndpointObjectsReader<SeenKind>;

/** What the endpoints show right now. Its writer is the rule source. */
export class SeenObjects extends EndpointObjects<SeenKind> {}

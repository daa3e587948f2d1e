import { literal, notParsed, parsed, quote, type Parsed } from './parsed.js';

declare const isLogicalClusterName: unique symbol;

/**
 * The name of a logical cluster, kcp's unit of storage: `1k7ez4pisisnd9rg`, `root`, `system:admin`.
 * Opaque: never compare it with a workspace path, never show it to a consumer.
 */
export type LogicalClusterName = string & { readonly [isLogicalClusterName]: true };

// kcp's grammar of one segment; names under `system:` count as names although they hold a colon (kcp's logicalcluster module).
const NAME = /^(?:system:)?[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Reads a logical cluster name. A path of several segments is not one; `root` is both. */
export function parseLogicalClusterName(text: string): Parsed<LogicalClusterName> {
  if (NAME.test(text)) return parsed(text as LogicalClusterName);
  return notParsed(
    `${quote(text)} is not a logical cluster name: expected lower-case letters, digits and dashes, such as "1k7ez4pisisnd9rg"`,
  );
}

/** A logical cluster name that is written in code: `logicalCluster('root')`. Throws a TypeError; what comes from outside is parsed. */
export function logicalCluster(text: string): LogicalClusterName {
  return literal(parseLogicalClusterName(text));
}

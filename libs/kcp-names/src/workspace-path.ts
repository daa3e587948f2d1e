import type { LogicalClusterName } from './logical-cluster-name.js';
import { literal, notParsed, parsed, quote, type Parsed } from './parsed.js';

declare const isWorkspacePath: unique symbol;

/** A workspace's address for people: `root`, `root:providers:network`. One path may name different clusters over time. */
export type WorkspacePath = string & { readonly [isWorkspacePath]: true };

// Segments may start with a digit: kcp allows it, and raw cluster names often do.
const SEGMENT = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Reads a workspace path: segments of lower-case letters, digits and inner dashes (at most 63 each), joined by colons. */
export function parseWorkspacePath(text: string): Parsed<WorkspacePath> {
  const segments = text.split(':');
  const wrong = segments.findIndex((segment) => !SEGMENT.test(segment));
  if (wrong === -1) return parsed(text as WorkspacePath);
  return notParsed(
    `${quote(text)} is not a workspace path: segment ${wrong + 1} (${quote(segments[wrong] ?? '')}) should be lower-case letters, digits and dashes, such as "root:providers:network"`,
  );
}

/** A workspace path that is written in code: `workspacePath('root:providers')`. Throws a TypeError; what comes from outside is parsed. */
export function workspacePath(text: string): WorkspacePath {
  return literal(parseWorkspacePath(text));
}

/** The parent of a path and the last segment, or undefined for a path of one segment (`root`), which has no parent. */
export function splitWorkspacePath(path: WorkspacePath): { readonly parent: WorkspacePath; readonly name: string } | undefined {
  const colon = path.lastIndexOf(':');
  if (colon === -1) return undefined;
  return { parent: path.slice(0, colon) as WorkspacePath, name: path.slice(colon + 1) };
}

/** The path of a child. The name is checked as a segment. */
export function childPath(parent: WorkspacePath, name: string): Parsed<WorkspacePath> {
  return parseWorkspacePath(`${parent}:${name}`);
}

/** A path of one segment is a logical cluster name as well: kcp uses it as is, without a look-up. */
export function nameOfPath(path: WorkspacePath): LogicalClusterName | undefined {
  return path.includes(':') ? undefined : (path as string as LogicalClusterName);
}

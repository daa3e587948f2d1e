// Which virtual workspaces a WorkspaceType has for one kind, from what was seen of it. Pure. A type that is gone, or whose status names none yet, takes
// nothing away: workspaces that die of a deleted type still wait for their terminator, and kcp still shows them.
import { parseVirtualWorkspaceUrl, type Observed, type ReflectorEvent, type VirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';
import { elements, isRecord, recordAt, text } from '@dep-ctrl/kcp-names';
import { LIFECYCLE_WORDS, type LifecycleKind } from './lifecycle-kind.js';

/** A WorkspaceType as far as it matters here. */
export interface NamedViews {
  /** `gone`: it was read that there is no such type, now or any more. */
  readonly type: 'unknown' | 'gone' | 'read';
  /** `<cluster of the type>:<name>`: how the lists of logical clusters call it. Absent until the type was read once. */
  readonly entry?: string;
  /** Whether the type names what may be done to the content. */
  readonly namesPermissions: boolean;
  readonly urls: ReadonlySet<VirtualWorkspaceUrl>;
}

/** What followed from an event of the type. */
export interface ViewsStep {
  readonly views: NamedViews;
  readonly appeared: readonly VirtualWorkspaceUrl[];
  readonly withdrawn: readonly VirtualWorkspaceUrl[];
  readonly problems: readonly string[];
}

/** Before the type was read. */
export const NOTHING_NAMED: NamedViews = { type: 'unknown', namesPermissions: false, urls: new Set() };

/** What an event of the reflector that follows the type means for the virtual workspaces of one kind. */
export function nameViews(before: NamedViews, event: ReflectorEvent, kind: LifecycleKind): ViewsStep {
  switch (event.kind) {
    case 'replaced': {
      const type = event.objects[0];
      return type === undefined ? withoutType(before) : withType(before, type, kind);
    }
    case 'applied':
      return withType(before, event.object, kind);
    case 'deleted':
      return withoutType(before);
    case 'undecodable':
      return { views: before, appeared: [], withdrawn: [], problems: [event.problem] };
    default:
      return event satisfies never;
  }
}

function withoutType(before: NamedViews): ViewsStep {
  return { views: { ...before, type: 'gone' }, appeared: [], withdrawn: [], problems: [] };
}

function withType(before: NamedViews, { cluster, object }: Observed, kind: LifecycleKind): ViewsStep {
  const entry = `${cluster}:${object.metadata.name ?? ''}`;
  const named = elements(recordAt(object, 'status')['virtualWorkspaces']);
  const { urls, problems } = readUrls(named, kind, entry);
  // kcp names both kinds for every shard. A status without any was not filled yet.
  const kept = named.length === 0 ? before.urls : new Set(urls);
  const namesPermissions = elements(recordAt(object, 'spec')[LIFECYCLE_WORDS[kind].permissions]).length > 0;
  return {
    views: { type: 'read', entry, namesPermissions, urls: kept },
    appeared: [...kept].filter((url) => !before.urls.has(url)),
    withdrawn: [...before.urls].filter((url) => !kept.has(url)),
    problems,
  };
}

function readUrls(
  named: readonly unknown[],
  kind: LifecycleKind,
  entry: string,
): { readonly urls: readonly VirtualWorkspaceUrl[]; readonly problems: readonly string[] } {
  const urls: VirtualWorkspaceUrl[] = [];
  const problems: string[] = [];
  for (const one of named) {
    if (!isRecord(one) || one['type'] !== kind) continue;
    const url = parseVirtualWorkspaceUrl(text(one['url']) ?? '');
    // Requests to it carry our credentials: what does not end like this is not kcp's.
    if (url.ok && url.value.endsWith(`/services/${kind}workspaces/${entry}`)) urls.push(url.value);
    else problems.push(url.ok ? `${JSON.stringify(url.value)} is not the virtual workspace of ${entry}` : url.problem);
  }
  return { urls, problems };
}

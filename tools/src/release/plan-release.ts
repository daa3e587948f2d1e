// Which version comes next and what is new in it: nx release reads both from the commits. Fixed: the app and the libs have one version.
import { readFileSync } from 'node:fs';
import { ReleaseClient } from 'nx/release';

/** What a release would be, or is. */
export interface ReleasePlan {
  /** Of the manifests now: what is built carries it. */
  readonly current: string;
  readonly next: string;
  /** Markdown. */
  readonly changelog: string;
}

const MANIFEST = 'apps/dep-ctrl/package.json';

/** Asks nx. `isDry`: nothing is written; otherwise the manifests and CHANGELOG.md are, and a person commits and tags them. */
export async function planRelease({ isDry, isFirst }: { readonly isDry: boolean; readonly isFirst: boolean }): Promise<ReleasePlan> {
  const write = process.stdout.write.bind(process.stdout);
  // nx prints every file that it would change.
  process.stdout.write = () => true;
  try {
    return await askNx({ isDry, isFirst });
  } finally {
    process.stdout.write = write;
  }
}

async function askNx({ isDry, isFirst }: { readonly isDry: boolean; readonly isFirst: boolean }): Promise<ReleasePlan> {
  const client = new ReleaseClient(
    {
      conventionalCommits: {
        types: {
          feat: { semverBump: 'minor', changelog: { title: 'Features' } },
          fix: { semverBump: 'patch', changelog: { title: 'Fixes' } },
          perf: { semverBump: 'patch', changelog: { title: 'Performance' } },
        },
      },
      // The tests too, which name the libs with their version.
      projects: ['dep-ctrl', 'tag:type:lib', 'tag:type:tests'],
      projectsRelationship: 'fixed',
      releaseTag: { pattern: 'v{version}' },
      version: { conventionalCommits: true },
      changelog: { projectChangelogs: false, workspaceChangelog: { createRelease: false, renderOptions: { authors: false } } },
    },
    true,
  );
  const current = ownVersion();
  // The version that was never released is the first one.
  const versions = isFirst ? undefined : await client.releaseVersion({ dryRun: isDry, gitCommit: false, gitTag: false });
  const next = versions?.workspaceVersion ?? current;
  const { workspaceChangelog } = await client.releaseChangelog({
    dryRun: isDry,
    firstRelease: isFirst,
    version: next,
    ...(versions !== undefined && { versionData: versions.projectsVersionData }),
    gitCommit: false,
    gitTag: false,
    createRelease: false,
  });
  return { current: isDry ? current : ownVersion(), next, changelog: workspaceChangelog?.contents ?? '' };
}

function ownVersion(): string {
  const { version } = JSON.parse(readFileSync(MANIFEST, 'utf8')) as { readonly version: string };
  return version;
}

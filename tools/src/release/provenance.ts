// Where artefacts come from, as an in-toto statement with the SLSA provenance predicate, version 1. Unsigned: the publisher signs it.

/** An artefact by its content. */
export interface Subject {
  readonly name: string;
  readonly sha256: string;
}

/** What is known of a build. */
export interface BuildFacts {
  readonly repository: string;
  readonly commit: string;
  /** Whether files differed from the commit. */
  readonly isDirty: boolean;
  readonly node: string;
  readonly npm: string;
  readonly platform: string;
  readonly command: readonly string[];
  readonly startedOn: string;
  readonly finishedOn: string;
}

/** The statement. */
export function provenanceOf(subjects: readonly Subject[], facts: BuildFacts) {
  const { repository, commit, isDirty, node, npm, platform, command, startedOn, finishedOn } = facts;
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: subjects.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'npm-run-release',
        externalParameters: { command },
        internalParameters: { isDirty },
        resolvedDependencies: [
          { uri: `git+${repository}`, digest: { gitCommit: commit } },
          { uri: `pkg:generic/node@${node}`, annotations: { npm, platform } },
        ],
      },
      runDetails: { builder: { id: 'local' }, metadata: { startedOn, finishedOn } },
    },
  };
}

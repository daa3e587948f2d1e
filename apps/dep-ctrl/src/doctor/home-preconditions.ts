// The workspace of dep-ctrl and the export in it.
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { apiExport, EXPORT_NAME } from '@dep-ctrl/rule-registry';
import { mergeDesired } from '@dep-ctrl/kcp-objects';
import { ifElsewhere } from '../command-line/own-export.js';
import { PROTECTION_PLACE, protectionState } from '../own-objects/home-protection.js';
import type { HomeFacts } from '../installation/facts.js';
import { valueOr, type Reading } from '../installation/reading.js';
import {
  BOOTSTRAP,
  bootstrap,
  broken,
  install,
  kubectl,
  met,
  notChecked,
  type DoctorFacts,
  type Judgement,
  type Precondition,
} from './precondition.js';

const CHECK_PATH = ifElsewhere('--workspace');

/** In the order in which one takes the next. */
export const HOME_PRECONDITIONS: readonly Precondition[] = [
  {
    id: 'workspace-there',
    must: 'The workspace of dep-ctrl is there.',
    otherwise: 'dep-ctrl is not installed, or was lost: rules say nothing, and deletes of what was guarded may be refused.',
    fix: BOOTSTRAP,
    judge: inHome(({ presence, path }, { access }) => {
      switch (presence.state) {
        case 'found':
          return [met(path)];
        case 'in-doubt':
          return [notChecked(path, { because: 'refused', why: presence.text })];
        case 'missing':
          return presence.what === 'workspace'
            ? [broken(path, `is no workspace of this kcp: ${presence.text}; ${CHECK_PATH}`, install(access))]
            : [met(path)];
      }
    }),
  },
  {
    id: 'export-there',
    must: 'The workspace of dep-ctrl has the export of its API.',
    otherwise: 'Nobody can bind dep-ctrl, and no rule can be written.',
    fix: BOOTSTRAP,
    judge: inHome(({ presence, path, apiExport: found }, { access }) => {
      const missing = broken(path, `has no export ${EXPORT_NAME}; ${CHECK_PATH}`, install(access));
      if (presence.state === 'missing') return presence.what === 'export' ? [missing] : [];
      if (presence.state === 'in-doubt') return [];
      if (found.state === 'unread') return [notChecked(path, found)];
      return [found.value === undefined ? missing : met(path)];
    }),
  },
  {
    id: 'export-current',
    must: 'The export serves the API of this version of dep-ctrl.',
    otherwise: 'Fields that this version knows are refused or dropped.',
    fix: BOOTSTRAP,
    judge: inHome(({ path, apiExport: found }, { access }) =>
      withValue(found, (observed) =>
        mergeDesired(observed, apiExport()) === undefined
          ? met(path)
          : broken(path, 'exports the API of another version of dep-ctrl than this one', bootstrap(access)),
      ),
    ),
  },
  {
    id: 'schemas-there',
    must: 'Each schema that the export names exists.',
    otherwise: 'kcp serves neither rules nor guards to who binds from now on.',
    fix: BOOTSTRAP,
    judge: inHome(({ path, apiExport: found, schemas }, { access }) => {
      if (schemas.state === 'unread') return schemas.because === 'not-asked' ? [] : [notChecked(path, schemas)];
      return withValue(found, (observed) => {
        const missing = schemasOf(observed).filter((name) => !schemas.value.has(name));
        return missing.length === 0 ? met(path) : broken(path, `lacks the schema ${missing.join(', ')} of its export`, bootstrap(access));
      });
    }),
  },
  {
    id: 'export-identity',
    must: 'kcp has given the export its identity.',
    otherwise: 'Bindings to it wait.',
    fix: `kubectl get apiexport ${EXPORT_NAME} -o yaml`,
    judge: inHome(({ path, apiExport: found }, { access }) =>
      withValue(found, (observed) => {
        const { identityHash } = (observed['status'] ?? {}) as { readonly identityHash?: string };
        const look = kubectl(access, path, `get apiexport ${EXPORT_NAME} -o yaml`);
        return identityHash === undefined
          ? broken(path, 'has an export without an identity, which its conditions explain', look)
          : met(path);
      }),
    ),
  },
  {
    id: 'export-open',
    must: 'The export has no maximalPermissionPolicy.',
    otherwise: 'kcp refuses rules of providers, however many rights they have in their own workspaces.',
    fix: `kubectl patch apiexport ${EXPORT_NAME} --type json -p '[{"op":"remove","path":"/spec/maximalPermissionPolicy"}]'`,
    judge: inHome(({ path, apiExport: found }, { access }) =>
      withValue(found, (observed) => {
        const { maximalPermissionPolicy } = (observed['spec'] ?? {}) as { readonly maximalPermissionPolicy?: unknown };
        const remove = `patch apiexport ${EXPORT_NAME} --type json -p '[{"op":"remove","path":"/spec/maximalPermissionPolicy"}]'`;
        return maximalPermissionPolicy === undefined || maximalPermissionPolicy === null
          ? met(path)
          : broken(
              path,
              'has an export with a maximalPermissionPolicy, which keeps providers from writing rules',
              kubectl(access, path, remove),
            );
      }),
    ),
  },
  {
    id: 'endpoint-slice',
    must: 'The export has its endpoint slice.',
    otherwise: 'The roles do not know where to watch.',
    fix: `kubectl annotate apiexport ${EXPORT_NAME} --overwrite dep-ctrl/touched=now`,
    judge: inHome(({ path, presence, slice }, { access }) => {
      if (presence.state !== 'found') return [];
      if (slice.state === 'unread') return [notChecked(path, slice)];
      const touch = kubectl(access, path, `annotate apiexport ${EXPORT_NAME} --overwrite dep-ctrl/touched=now`);
      return [
        slice.value === undefined
          ? broken(path, 'has no endpoint slice for its export: kcp makes one as the export changes', touch)
          : met(path),
      ];
    }),
  },
  {
    id: 'workspace-protected',
    must: 'If the workspace of dep-ctrl is protected from deletion, it is so wholly.',
    otherwise: 'kcp lets the workspace be deleted, and every rule with it, although it was to be kept.',
    fix: `${BOOTSTRAP} --protect-workspace`,
    judge: inHome(({ path, presence, protection }, { access }) => {
      // It is a choice: without it there is nothing to judge. A user who may not read root is not told so each time.
      if (presence.state !== 'found' || protection.state === 'unread') return [];
      const state = protectionState(protection.value, presence.cluster);
      if (state === 'unprotected') return [];
      const says = `is protected from deletion by half: its policy in ${PROTECTION_PLACE} or the binding of that is missing or was changed`;
      return [state === 'protected' ? met(path) : broken(path, says, bootstrap(access, '--protect-workspace'))];
    }),
  },
];

/** Judges the workspace, where kcp answered. */
export function inHome(judge: (home: HomeFacts, facts: DoctorFacts) => readonly Judgement[]): Precondition['judge'] {
  return (facts) => (facts.installation === undefined ? [] : judge(facts.installation.home, facts));
}

/** Judges an object that was read and is there; that it is not there is told by others. */
function withValue(found: Reading<KubeObject | undefined>, judge: (observed: KubeObject) => Judgement): readonly Judgement[] {
  const observed = valueOr(found, undefined);
  return observed === undefined ? [] : [judge(observed)];
}

function schemasOf({ spec }: KubeObject): readonly string[] {
  const { resources } = (spec ?? {}) as { readonly resources?: readonly { readonly schema?: string }[] };
  return resources?.flatMap(({ schema }) => (schema === undefined ? [] : [schema])) ?? [];
}

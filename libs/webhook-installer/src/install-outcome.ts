import { isKcpError, type KcpError } from '@dep-ctrl/kcp-client';
import type { ClaimState } from './claim.js';

/** What bringing a configuration to its desired state came to. Expected answers are values; only an abort is thrown. */
export type InstallOutcome =
  /** It was written (`installed`) or needed no write (`unchanged`); `adopted`: an older version's was taken over. */
  | { readonly state: 'installed'; readonly change: 'created' | 'replaced' | 'adopted' }
  | { readonly state: 'unchanged' }
  /** It was removed and read as gone, or was not there. */
  | { readonly state: 'removed' }
  | { readonly state: 'absent' }
  /** A configuration of that name belongs to another owner (`owner`: the value of its ownership label, if any). Nothing was written. */
  | { readonly state: 'conflict'; readonly owner: string | undefined }
  | FailedInstall;

/**
 * Why nothing, or not everything, was written. `retryable`: trying again may help with nothing changed by anybody. `unseen`: one of that name is there,
 * and the export does not see it. kcp shows an export what is written while the workspace binds it, so that is what an export of the same name left
 * which was there before, until a user of the workspace writes it; or what was there before the binding, for a moment.
 */
export interface FailedInstall {
  readonly state: 'claim-not-accepted' | 'not-bound' | 'forbidden' | 'invalid' | 'pending' | 'unseen' | 'unreachable';
  readonly problem: string;
  readonly retryable: boolean;
}

/** The outcome of a call that failed for another reason than missing rights. Throws an abort on. */
export function failedInstall(error: unknown): FailedInstall {
  if (!isKcpError(error) || error.code === 'aborted') throw error;
  const state =
    error.code === 'unauthorized' || error.code === 'forbidden' ? 'forbidden' : error.code === 'invalid' ? 'invalid' : 'unreachable';
  return { state, problem: error.message, retryable: error.retryable };
}

/** The outcome of a 403, by what the workspace's own bindings say: kcp answers the same text for all of these. */
export function refusedInstall(claim: ClaimState, error: KcpError): FailedInstall {
  switch (claim.state) {
    case 'not-bound':
    case 'unbinding':
      return { state: 'not-bound', problem: 'the workspace does not bind the export', retryable: false };
    case 'not-answered':
      return { state: 'claim-not-accepted', problem: 'the APIBinding does not answer the permission claim', retryable: false };
    case 'rejected':
      return { state: 'claim-not-accepted', problem: 'the APIBinding rejects the permission claim', retryable: false };
    case 'verbs-missing':
      return {
        state: 'claim-not-accepted',
        problem: `the APIBinding accepts the permission claim without the verbs ${claim.verbs.join(', ')}`,
        retryable: false,
      };
    case 'accepted':
      return { state: 'forbidden', problem: error.message, retryable: true }; // kcp may not have noticed the acceptance yet
    default:
      return claim satisfies never;
  }
}

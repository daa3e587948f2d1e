import { GUARD_NAME } from '@dep-ctrl/rule-registry';

/** How objects of tenants are listed: they are as many and as large as kcp takes them, and each page must come within the time of one answer. */
export const OF_TENANTS = { limit: 50, onTimeout: 'shrink' } as const;

/** The same of configurations: beside the one of ours a workspace may hold any number. */
export const OUR_CONFIGURATIONS = { ...OF_TENANTS, fieldSelector: `metadata.name=${GUARD_NAME}` } as const;

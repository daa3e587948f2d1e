// The bounds of one object. The schemas refuse more. Objects that were stored before there were bounds are read up to them.

/** The most entries of `.spec.dependencies` of a rule, and of `.status.targets`. */
export const MOST_DEPENDENCIES = 64;

/** The most entries of `.spec.allowRulesFrom` of a guard. */
export const MOST_CONSENTS = 128;

/** The most rules of one workspace that are in force. */
export const MOST_RULES = 100;

/** The most workspaces that the rules in force of one workspace name together. kcp is asked for each path, again and again. */
export const MOST_NAMED = 256;

/** The longest message of a status, as Kubernetes bounds those of conditions. */
export const LONGEST_MESSAGE = 32_768;

import { quote } from '@dep-ctrl/kcp-names';

/** What a name must look like: one source for the schema that kcp checks and for the parser. */
export interface NameGrammar {
  /** A regular expression that RE2 and ECMAScript read alike. */
  readonly pattern: string;
  readonly maxLength: number;
  /** A phrase with an example. */
  readonly expected: string;
}

/** What is wrong with a text as a name, as a phrase, or undefined. Long texts are not matched at all. */
export function problemOfName(text: string, grammar: NameGrammar): string | undefined {
  if (text.length > grammar.maxLength) return `is ${text.length} characters long, at most ${grammar.maxLength} are allowed`;
  return regexpOf(grammar.pattern).test(text) ? undefined : `expected ${grammar.expected}, found ${quote(text)}`;
}

const regexps = new Map<string, RegExp>();

function regexpOf(pattern: string): RegExp {
  const known = regexps.get(pattern);
  if (known !== undefined) return known;
  const compiled = new RegExp(pattern, 'u');
  regexps.set(pattern, compiled);
  return compiled;
}

// Labels may start with a digit, as in kcp: raw cluster names and DNS-1123 names often do.
const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SEGMENT = '[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?';
const SUBDOMAIN = `^${LABEL}(\\.${LABEL})*$`;
const DNS_1035 = '^[a-z]([-a-z0-9]*[a-z0-9])?$';

/** An APIExport's name, as kcp accepts it. */
export const EXPORT_NAME_GRAMMAR: NameGrammar = {
  pattern: SUBDOMAIN,
  maxLength: 253,
  expected: 'the name of an APIExport, such as "network.example.com"',
};

/** An API group. The core group has no name and no export serves it. */
export const GROUP_GRAMMAR: NameGrammar = { pattern: SUBDOMAIN, maxLength: 253, expected: 'an API group, such as "network.example.com"' };

/** An API version. */
export const VERSION_GRAMMAR: NameGrammar = { pattern: DNS_1035, maxLength: 63, expected: 'an API version, such as "v1alpha1"' };

/** A kind. */
export const KIND_GRAMMAR: NameGrammar = {
  pattern: '^[A-Za-z]([-A-Za-z0-9]*[A-Za-z0-9])?$',
  maxLength: 63,
  expected: 'a kind, such as "VirtualMachine"',
};

/** A resource: the plural that URLs carry. */
export const RESOURCE_GRAMMAR: NameGrammar = { pattern: DNS_1035, maxLength: 63, expected: 'a resource (plural), such as "vpcs"' };

/**
 * A workspace path. Wider than kcp's own grammar (a segment may end in a dash and be of any length), because rules that were accepted
 * before must apply; a path that no workspace can have is refused by the parser with a reason of its own.
 */
export const PATH_GRAMMAR: NameGrammar = {
  pattern: '^[a-z0-9][-a-z0-9]*(:[a-z0-9][-a-z0-9]*)*$',
  maxLength: 1024,
  expected: 'a workspace path, such as "root:providers:network"',
};

/** A workspace path in kcp's own grammar. */
export const STRICT_PATH_GRAMMAR: NameGrammar = {
  pattern: `^${SEGMENT}(:${SEGMENT})*$`,
  maxLength: 1024,
  expected: PATH_GRAMMAR.expected,
};

/** The longest name of a group and resource together, with the dot between them. */
export const GROUP_RESOURCE_MAX_LENGTH = RESOURCE_GRAMMAR.maxLength + 1 + GROUP_GRAMMAR.maxLength;

/** The name of an object. */
export const OBJECT_NAME_GRAMMAR: NameGrammar = { pattern: SUBDOMAIN, maxLength: 253, expected: 'a name, such as "vm-dependencies"' };

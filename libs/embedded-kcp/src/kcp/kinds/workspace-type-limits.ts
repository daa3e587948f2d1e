// Which types of workspaces may be below which others. Pure.
import { arrayAt, valueAt } from '../../json/json.js';
import type { StoredObject } from '../../storage/stored-object.js';
import { qualifiedName, readTypeReference } from './workspace-types.js';

/** A type as it is named by a workspace, and all that it implements. */
export interface NamedType {
  /** `<path>:<name>`. */
  readonly name: string;
  readonly closure: readonly StoredObject[];
}

/** Why a workspace of one type may not be below one of another; undefined: it may. */
export function limitProblem(parent: NamedType, child: NamedType): string | undefined {
  const ofChild = problems(child, parent, { field: 'limitAllowedParents', other: 'parent' });
  return ofChild.length > 0 ? inOne(ofChild) : inOne(problems(parent, child, { field: 'limitAllowedChildren', other: 'child' }));
}

interface Limit {
  readonly field: 'limitAllowedParents' | 'limitAllowedChildren';
  readonly other: 'parent' | 'child';
}

function problems(limited: NamedType, against: NamedType, { field, other }: Limit): readonly string[] {
  const implemented = sorted(against.closure.map(qualifiedName));
  return limited.closure.flatMap((one) => {
    const limit = valueAt(one.object, 'spec', field);
    if (valueAt(limit, 'none') === true) return [`workspace type ${limited.name} cannot have any ${other}`];
    const allowed = sorted(
      arrayAt(limit, 'types')
        .map(readTypeReference)
        .map(({ path, name }) => `${path}:${name}`),
    );
    if (allowed.length === 0 || implemented.some((name) => allowed.includes(name))) return [];
    const extending = qualifiedName(one) === limited.name ? '' : ` extends ${qualifiedName(one)}, which`;
    const only = `only allows [${allowed.join(' ')}] ${other} workspaces`;
    return [
      `workspace type ${limited.name}${extending} ${only}, but ${other} type ${against.name} only implements [${implemented.join(' ')}]`,
    ];
  });
}

function sorted(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort();
}

// As Go prints several errors.
function inOne(all: readonly string[]): string | undefined {
  const different = [...new Set(all)];
  return different.length > 1 ? `[${different.join(', ')}]` : different[0];
}

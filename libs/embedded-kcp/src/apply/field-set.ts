// A set of paths into an object, as managedFields store it (FieldsV1): a tree of elements. An element is the text that FieldsV1 uses
// as key: `f:name` a field, `k:{"name":"x"}` an item of a keyed list, `v:"x"` an item of a set.
import { isRecord, type JsonRecord } from '../json/json.js';

/** One step of a path. */
export type PathElement = string;

interface Branch {
  readonly isMember: boolean;
  readonly below: FieldSet;
}

/** A set of paths. Built with `add`, and not changed any more once it was used: operations share what they can. */
export class FieldSet {
  readonly #branches = new Map<PathElement, Branch>();

  /** Reads FieldsV1. What is not FieldsV1 is an empty set. */
  static decode(fields: unknown): FieldSet {
    const set = new FieldSet();
    if (!isRecord(fields)) return set;
    for (const [element, below] of Object.entries(fields)) {
      if (element === '.') continue;
      const leaf = isRecord(below) && Object.keys(below).length === 0;
      set.#put(element, { isMember: leaf || (isRecord(below) && Object.hasOwn(below, '.')), below: FieldSet.decode(below) });
    }
    return set;
  }

  /** Prints FieldsV1, sorted. */
  encode(): JsonRecord {
    const elements = [...this.#branches.keys()].sort();
    return Object.fromEntries(
      elements.map((element) => {
        const { isMember, below } = this.#branch(element);
        return [element, below.isEmpty ? {} : { ...(isMember ? { '.': {} } : {}), ...below.encode() }];
      }),
    );
  }

  /** Puts a path into this set. */
  add(path: readonly PathElement[]): void {
    const [first, ...rest] = path;
    if (first === undefined) return;
    const { isMember, below } = this.#branches.get(first) ?? { isMember: false, below: new FieldSet() };
    if (rest.length > 0) below.add(rest);
    this.#branches.set(first, { isMember: isMember || rest.length === 0, below });
  }

  /** Whether no path is in the set. */
  get isEmpty(): boolean {
    return this.#branches.size === 0;
  }

  /** Whether the set holds exactly this element as a path of its own. */
  has(element: PathElement): boolean {
    return this.#branch(element).isMember;
  }

  /** The paths that begin with an element, without it. */
  below(element: PathElement): FieldSet {
    return this.#branch(element).below;
  }

  /** Every path: first the members of a level, then what is below them. */
  paths(): readonly (readonly PathElement[])[] {
    const branches = [...this.#branches].sort(([a], [b]) => (a < b ? -1 : 1));
    const members = branches.filter(([, { isMember }]) => isMember).map(([element]) => [element]);
    return [...members, ...branches.flatMap(([element, { below }]) => below.paths().map((path) => [element, ...path]))];
  }

  /** The paths of either set. */
  union(other: FieldSet): FieldSet {
    if (this.isEmpty) return other;
    if (other.isEmpty) return this;
    return this.#combine(
      other,
      (a, b) => a || b,
      (a, b) => a.union(b),
    );
  }

  /** The paths of this set that the other does not hold. What lies below a path of the other stays. */
  difference(other: FieldSet): FieldSet {
    if (this.isEmpty || other.isEmpty) return this;
    return this.#combine(
      other,
      (a, b) => a && !b,
      (a, b) => a.difference(b),
    );
  }

  /** The paths of this set that are not in the other, nor below one of its paths. */
  without(other: FieldSet): FieldSet {
    if (this.isEmpty || other.isEmpty) return this;
    const result = new FieldSet();
    for (const [element, { isMember, below }] of this.#branches) {
      const there = other.#branch(element);
      if (!there.isMember) result.#put(element, { isMember, below: below.without(there.below) });
    }
    return result;
  }

  /** The paths of both sets. */
  intersection(other: FieldSet): FieldSet {
    if (this.isEmpty) return this;
    if (other.isEmpty) return other;
    return this.#combine(
      other,
      (a, b) => a && b,
      (a, b) => a.intersection(b),
    );
  }

  /** A set in which every element that `isNamed` holds for is a member, not only what is below it. `descend` goes on below an element. */
  withNamedElements<T>(at: T, isNamed: (at: T, element: PathElement) => boolean, descend: (at: T, element: PathElement) => T): FieldSet {
    const result = new FieldSet();
    for (const [element, { isMember, below }] of this.#branches) {
      result.#put(element, {
        isMember: isMember || (!below.isEmpty && isNamed(at, element)),
        below: below.withNamedElements(descend(at, element), isNamed, descend),
      });
    }
    return result;
  }

  #combine(other: FieldSet, members: (a: boolean, b: boolean) => boolean, below: (a: FieldSet, b: FieldSet) => FieldSet): FieldSet {
    const result = new FieldSet();
    for (const element of new Set([...this.#branches.keys(), ...other.#branches.keys()])) {
      const [here, there] = [this.#branch(element), other.#branch(element)];
      result.#put(element, { isMember: members(here.isMember, there.isMember), below: below(here.below, there.below) });
    }
    return result;
  }

  #branch(element: PathElement): Branch {
    return this.#branches.get(element) ?? NO_BRANCH;
  }

  // No branch without a path is ever kept: a set without branches is empty, and the only such set.
  #put(element: PathElement, branch: Branch): void {
    if (branch.isMember || !branch.below.isEmpty) this.#branches.set(element, branch);
  }
}

const NO_BRANCH: Branch = { isMember: false, below: new FieldSet() };

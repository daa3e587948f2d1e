// Many reference paths asked of one object in one walk. What `readReferences` reads for each pair of paths is what counts; it reads once per pair.
import type { FieldPath, PathStep } from './field-path.js';
import { branchAt, stepInto } from './path-tree.js';
import { sharedSteps } from './read-references.js';

/** Where references stand. */
export interface ReferencePaths {
  readonly fieldPath: FieldPath;
  readonly namespacePath?: FieldPath;
}

/** What is looked for. */
export interface WantedReference {
  readonly name: string;
  /** Absent: in whatever namespace. */
  readonly namespace?: string | undefined;
  /** Whether a reference that gives no namespace means the wanted one. */
  readonly isOwn: boolean;
}

/** All who ask for one pair of paths. */
interface Ask<P> {
  readonly askers: P[];
  /** Absent: in whatever namespace the object is. */
  readonly namespaces?: { readonly path: string; readonly at: NamespaceBranch };
}

/** Name paths that share what they begin with. */
interface NameBranch<P> {
  readonly next: Map<PathStep, NameBranch<P>>;
  /** By the text of the namespace path. */
  readonly ends: Map<string, Ask<P>>;
  /** The rest of the namespace paths that part from name paths here: a name and a namespace behind one value here belong together. */
  namespaces?: NamespaceBranch;
}

interface NamespaceBranch {
  readonly next: Map<PathStep, NamespaceBranch>;
  /** The text of the whole path that ends here. */
  path?: string;
}

/** Reference paths, and who asks for each. */
export class ReferenceTree<P extends ReferencePaths> {
  readonly #root: NameBranch<P> = nameBranch();

  constructor(askers: Iterable<P>) {
    for (const asker of askers) this.#add(asker);
  }

  /** Those at whose paths the object holds such a reference. Costs no more than a walk through the object, however many there are. */
  referring(object: unknown, wanted: WantedReference): readonly P[] {
    const walk = new Walk<P>(wanted);
    walk.visit(object, this.#root);
    return [...walk.referring].flatMap(({ askers }) => askers);
  }

  #add(asker: P): void {
    const { fieldPath, namespacePath } = asker;
    const branches = [this.#root];
    let end = this.#root;
    for (const step of fieldPath.steps) branches.push((end = branchAt(end, step, nameBranch<P>)));
    const known = end.ends.get(namespacePath?.text ?? '');
    if (known !== undefined) known.askers.push(asker);
    else if (namespacePath === undefined) end.ends.set('', { askers: [asker] });
    else {
      const shared = sharedSteps(fieldPath, namespacePath);
      const at = ((branches[shared] ?? end).namespaces ??= namespaceBranch());
      const path = namespacePath.text;
      namespacePath.steps.slice(shared).reduce((branch, step) => branchAt(branch, step, namespaceBranch), at).path = path;
      end.ends.set(path, { askers: [asker], namespaces: { path, at } });
    }
  }
}

function nameBranch<P>(): NameBranch<P> {
  return { next: new Map(), ends: new Map() };
}

function namespaceBranch(): NamespaceBranch {
  return { next: new Map() };
}

/** One object, gone through once. As deep as a path has steps. */
class Walk<P> {
  readonly referring = new Set<Ask<P>>();
  readonly #wanted: WantedReference;
  /** Whose name stands behind the value that the walk is in, by where their namespaces are to be read. */
  readonly #named = new Map<NamespaceBranch, Set<Ask<P>>>();

  constructor(wanted: WantedReference) {
    this.#wanted = wanted;
  }

  visit(node: unknown, branch: NameBranch<P>): void {
    if (typeof node === 'object' && node !== null) stepInto(node, branch, (value, next) => this.visit(value, next));
    else if (node === this.#wanted.name) for (const ask of branch.ends.values()) this.#found(ask);
    if (branch.namespaces !== undefined) this.#pair(node, branch.namespaces);
  }

  #found(ask: Ask<P>): void {
    const { namespace, isOwn } = this.#wanted;
    if (namespace !== undefined && ask.namespaces !== undefined) {
      const named = this.#named.get(ask.namespaces.at) ?? new Set();
      this.#named.set(ask.namespaces.at, named.add(ask));
    } else if (namespace === undefined || isOwn) this.referring.add(ask);
  }

  #pair(node: unknown, namespaces: NamespaceBranch): void {
    const named = this.#named.get(namespaces);
    if (named === undefined) return;
    this.#named.delete(namespaces);
    const { namespace, isOwn } = this.#wanted;
    const given = namespacesIn(node, namespaces);
    for (const ask of named) {
      const found = given.get(ask.namespaces?.path ?? '');
      if (found === undefined ? isOwn : found.has(namespace ?? '')) this.referring.add(ask);
    }
  }
}

/** The namespaces at each path that leads to one. */
function namespacesIn(start: unknown, root: NamespaceBranch): ReadonlyMap<string, ReadonlySet<string>> {
  const given = new Map<string, Set<string>>();
  const visit = (node: unknown, branch: NamespaceBranch): void => {
    if (typeof node === 'object' && node !== null) stepInto(node, branch, visit);
    else if (typeof node === 'string' && node !== '' && branch.path !== undefined) {
      given.set(branch.path, (given.get(branch.path) ?? new Set()).add(node));
    }
  };
  visit(start, root);
  return given;
}

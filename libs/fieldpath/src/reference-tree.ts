// Many reference paths asked of one object in one walk. What `readReferences` reads for each pair of paths is what counts; it reads once per pair.
import type { FieldPath, PathStep } from './field-path.js';
import { stepInto, type Branch } from './path-tree.js';
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
  /** Where the namespace path parts from the name path: names and namespaces behind one value there belong together. Absent: no namespace path. */
  readonly parting?: NameBranch<P>;
  readonly namespacePath: string;
}

interface NameBranch<P> extends Branch<Ask<P>> {
  readonly next: Map<PathStep, NameBranch<P>>;
  readonly ends: Ask<P>[];
  /** The rest of the namespace paths that part here. */
  namespaces?: NamespaceBranch;
}

interface NamespaceBranch extends Branch<string> {
  readonly next: Map<PathStep, NamespaceBranch>;
  readonly ends: string[];
}

/** Reference paths, and who asks for each. */
export class ReferenceTree<P extends ReferencePaths> {
  readonly #root: NameBranch<P> = nameBranch<P>();

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
    for (const step of fieldPath.steps) branches.push(stepOf(branches.at(-1) ?? this.#root, step, nameBranch<P>));
    const { ends } = branches.at(-1) ?? this.#root;
    const known = ends.find((each) => each.namespacePath === (namespacePath?.text ?? ''));
    if (known !== undefined) {
      known.askers.push(asker);
      return;
    }
    if (namespacePath === undefined) {
      ends.push({ askers: [asker], namespacePath: '' });
      return;
    }
    const shared = sharedSteps(fieldPath, namespacePath);
    const parting = branches[shared] ?? this.#root;
    ends.push({ askers: [asker], parting, namespacePath: namespacePath.text });
    let namespaces = (parting.namespaces ??= namespaceBranch());
    for (const step of namespacePath.steps.slice(shared)) namespaces = stepOf(namespaces, step, namespaceBranch);
    if (!namespaces.ends.includes(namespacePath.text)) namespaces.ends.push(namespacePath.text);
  }
}

function nameBranch<P>(): NameBranch<P> {
  return { next: new Map(), ends: [] };
}

function namespaceBranch(): NamespaceBranch {
  return { next: new Map(), ends: [] };
}

function stepOf<B extends { readonly next: Map<PathStep, B> }>({ next }: B, step: PathStep, newBranch: () => B): B {
  const known = next.get(step);
  if (known !== undefined) return known;
  const made = newBranch();
  next.set(step, made);
  return made;
}

/** One object, gone through once. As deep as a path has steps. */
class Walk<P> {
  readonly referring = new Set<Ask<P>>();
  readonly #wanted: WantedReference;
  /** Whose name stands behind the value that the walk is in, by where their namespaces are to be read. */
  readonly #named = new Map<NameBranch<P>, Set<Ask<P>>>();

  constructor(wanted: WantedReference) {
    this.#wanted = wanted;
  }

  visit(node: unknown, branch: NameBranch<P>): void {
    if (node === this.#wanted.name) for (const ask of branch.ends) this.#found(ask);
    else if (typeof node === 'object' && node !== null) stepInto(node, branch, (value, next) => this.visit(value, next));
    const named = this.#named.get(branch);
    if (named === undefined || branch.namespaces === undefined) return;
    this.#named.delete(branch);
    this.#pair(node, branch.namespaces, named);
  }

  #found(ask: Ask<P>): void {
    const { namespace, isOwn } = this.#wanted;
    if (this.referring.has(ask)) return;
    if (namespace === undefined || (ask.parting === undefined && isOwn)) this.referring.add(ask);
    else if (ask.parting !== undefined) {
      const named = this.#named.get(ask.parting) ?? new Set();
      this.#named.set(ask.parting, named.add(ask));
    }
  }

  #pair(node: unknown, namespaces: NamespaceBranch, named: ReadonlySet<Ask<P>>): void {
    const given = new Map<string, boolean>();
    const visit = (value: unknown, { next, ends }: NamespaceBranch): void => {
      if (typeof value === 'object' && value !== null) stepInto(value, { next, ends }, visit);
      else if (typeof value === 'string' && value !== '')
        for (const path of ends) given.set(path, given.get(path) === true || value === this.#wanted.namespace);
    };
    visit(node, namespaces);
    for (const ask of named) if (given.get(ask.namespacePath) ?? this.#wanted.isOwn) this.referring.add(ask);
  }
}

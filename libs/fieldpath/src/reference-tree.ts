// Many reference paths asked of one object in one walk. What `readReferences` reads for each pair of paths is what counts; it reads once per pair.
import type { FieldPath } from './field-path.js';
import { nodeAt, stepInto, type TreeNode, type Visit } from './path-tree.js';
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

/** Where name paths end, or part. */
interface NameNode<P> extends TreeNode<NameNode<P>> {
  /** The askers whose name path ends here and that name no namespace. */
  readonly plain: P[];
  /** The askers whose name path ends here and whose namespace stands elsewhere, the nearest place first. */
  pairs: PairedAsks<P> | undefined;
  /** The rest of the namespace paths that part from name paths here: a name and a namespace behind one value here belong together. */
  namespaces: NamespaceNode | undefined;
}

interface NamespaceNode extends TreeNode<NamespaceNode> {
  /** The text of the whole path that ends here. */
  path?: string;
}

/** Askers that read the namespace of a name from one place on, by the text of the namespace path. */
interface PairedAsks<P> {
  readonly at: NamespaceNode;
  readonly depth: number;
  readonly askers: ReadonlyMap<string, P[]>;
  outer: PairedAsks<P> | undefined;
}

/** Reference paths, with the askers of each. Built once, it serves any number of searches. */
export class ReferenceTree<P extends ReferencePaths> {
  readonly #root: NameNode<P> = nameNode();
  readonly #ends = new Map<P, NameNode<P>>();

  constructor(askers: Iterable<P>) {
    for (const asker of askers) this.#add(asker);
  }

  /** The askers at whose paths the object holds such a reference, each once. Yields where other work may go on. */
  referring(object: unknown, wanted: WantedReference): Generator<void, readonly P[]> {
    return this.search().referring(object, wanted);
  }

  /** Goes through many objects, for fewer and fewer askers. */
  search(): ReferenceSearch<P> {
    return new ReferenceSearch(this.#root, this.#ends);
  }

  #add(asker: P): void {
    const { fieldPath, namespacePath } = asker;
    const { steps } = fieldPath;
    const shared = namespacePath === undefined ? 0 : sharedSteps(fieldPath, namespacePath);
    const parting = nodeAt(this.#root, steps, 0, shared, nameNode<P>);
    const end = nodeAt(parting, steps, shared, steps.length, nameNode<P>);
    this.#ends.set(asker, end);
    if (namespacePath === undefined) end.plain.push(asker);
    else {
      const at = (parting.namespaces ??= namespaceNode());
      nodeAt(at, namespacePath.steps, shared, namespacePath.steps.length, namespaceNode).path = namespacePath.text;
      addTo(pairedAt(end, at, shared).askers, namespacePath.text, asker);
    }
  }
}

function nameNode<P>(): NameNode<P> {
  return { next: new Map(), plain: [], pairs: undefined, namespaces: undefined };
}

function namespaceNode(): NamespaceNode {
  return { next: new Map() };
}

function addTo<P>(askers: ReadonlyMap<string, P[]>, path: string, asker: P): void {
  const known = askers.get(path);
  if (known === undefined) (askers as Map<string, P[]>).set(path, [asker]);
  else known.push(asker);
}

/** The asks of a name that are paired at one place: made where there are none yet, in their order. */
function pairedAt<P>(end: NameNode<P>, at: NamespaceNode, depth: number): PairedAsks<P> {
  let nearer: PairedAsks<P> | undefined;
  let found = end.pairs;
  while (found !== undefined && found.depth > depth) [nearer, found] = [found, found.outer];
  if (found?.depth === depth) return found;
  const made: PairedAsks<P> = { at, depth, askers: new Map(), outer: found };
  if (nearer === undefined) end.pairs = made;
  else nearer.outer = made;
  return made;
}

/** The askers at one place that are not retired. */
interface OpenEnd<P> {
  readonly plain: Set<P>;
  readonly pairs: OpenPairs<P> | undefined;
}

interface OpenPairs<P> {
  readonly at: NamespaceNode;
  readonly askers: Map<string, Set<P>>;
  readonly outer: OpenPairs<P> | undefined;
}

/**
 * Searches objects one after the other. The cost of one object is bounded by its size and by the askers that are found. An asker that has enough is
 * retired, so that many askers of the same thing do not make every further object expensive.
 */
export class ReferenceSearch<P extends ReferencePaths> {
  readonly #root: NameNode<P>;
  readonly #ends: ReadonlyMap<P, NameNode<P>>;
  readonly #open = new Map<NameNode<P>, OpenEnd<P>>();

  constructor(root: NameNode<P>, ends: ReadonlyMap<P, NameNode<P>>) {
    this.#root = root;
    this.#ends = ends;
  }

  /** The askers at whose paths the object holds such a reference, each once, without the retired ones. Yields where other work may go on. */
  *referring(object: unknown, wanted: WantedReference): Generator<void, readonly P[]> {
    const walk = new Walk<P>(wanted, (node) => this.#openAt(node));
    yield* walk.visit(object, this.#root) ?? [];
    return walk.referring;
  }

  /** From now on this asker is left out. */
  retire(asker: P): void {
    const end = this.#ends.get(asker);
    if (end === undefined) return;
    const { plain, pairs } = this.#openAt(end);
    plain.delete(asker);
    const path = asker.namespacePath?.text;
    if (path === undefined) return;
    for (let each = pairs; each !== undefined; each = each.outer) {
      const askers = each.askers.get(path);
      askers?.delete(asker);
      if (askers?.size === 0) each.askers.delete(path);
    }
  }

  #openAt(node: NameNode<P>): OpenEnd<P> {
    const known = this.#open.get(node);
    if (known !== undefined) return known;
    const open = { plain: new Set(node.plain), pairs: openPairs(node.pairs) };
    this.#open.set(node, open);
    return open;
  }
}

function openPairs<P>(pairs: PairedAsks<P> | undefined): OpenPairs<P> | undefined {
  if (pairs === undefined) return undefined;
  const askers = new Map([...pairs.askers].map(([path, each]) => [path, new Set(each)]));
  return { at: pairs.at, askers, outer: openPairs(pairs.outer) };
}

/** One object, gone through once. As deep as a path has steps. */
class Walk<P> {
  readonly referring: P[] = [];
  readonly #wanted: WantedReference;
  readonly #openAt: (node: NameNode<P>) => OpenEnd<P>;
  readonly #met = new Set<NameNode<P>>();
  /** The askers whose name was found in the value that the walk is in, by the place where their namespaces are read next. */
  readonly #named = new Map<NamespaceNode, Set<OpenPairs<P>>>();
  readonly #told = new Set<ReadonlySet<P>>();
  /** The askers of which every reference so far was to another namespace. Absent: no reference was found yet. */
  readonly #elsewhere = new Map<OpenPairs<P>, ReadonlyMap<string, Set<P>>>();

  constructor(wanted: WantedReference, openAt: (node: NameNode<P>) => OpenEnd<P>) {
    this.#wanted = wanted;
    this.#openAt = openAt;
  }

  readonly visit: Visit<NameNode<P>> = (value, node) => {
    if (typeof value === 'object' && value !== null) return this.#within(value, node);
    if (value === this.#wanted.name) this.#found(node);
    return node.namespaces === undefined ? undefined : this.#pair(value, node.namespaces);
  };

  *#within(value: object, node: NameNode<P>): Generator<void, void> {
    yield* stepInto(value, node, this.visit);
    if (node.namespaces !== undefined) yield* this.#pair(value, node.namespaces);
  }

  #found(node: NameNode<P>): void {
    const { namespace, isOwn } = this.#wanted;
    const { plain, pairs } = this.#openAt(node);
    if (!this.#met.has(node)) {
      this.#met.add(node);
      if (namespace === undefined || isOwn) this.#tell(plain);
      if (namespace === undefined)
        for (let each = pairs; each !== undefined; each = each.outer) each.askers.forEach((askers) => this.#tell(askers));
    }
    if (namespace !== undefined) this.#name(pairs);
  }

  #name(pairs: OpenPairs<P> | undefined): void {
    if (pairs === undefined) return;
    const named = this.#named.get(pairs.at);
    if (named === undefined) this.#named.set(pairs.at, new Set([pairs]));
    else named.add(pairs);
  }

  *#pair(value: unknown, at: NamespaceNode): Generator<void, void> {
    const named = this.#named.get(at);
    if (named === undefined) return;
    this.#named.delete(at);
    const given = yield* namespacesIn(value, at);
    for (const pairs of named) {
      if (this.#wanted.isOwn) this.#tellUnlessElsewhere(pairs, given);
      else this.#tellGiven(pairs.askers, given);
      this.#name(pairs.outer);
    }
  }

  /** Of a reference that gives no namespace, and so means the wanted one, all are told at once: never again are they gone through. */
  #tellUnlessElsewhere(pairs: OpenPairs<P>, given: GivenNamespaces): void {
    const open = this.#elsewhere.get(pairs) ?? pairs.askers;
    const elsewhere = new Map<string, Set<P>>();
    for (const [path, askers] of open) {
      const found = given.get(path);
      if (found === undefined || found.has(this.#wanted.namespace)) this.#tell(askers);
      else elsewhere.set(path, askers);
    }
    this.#elsewhere.set(pairs, elsewhere);
  }

  #tellGiven(open: ReadonlyMap<string, Set<P>>, given: GivenNamespaces): void {
    const paths = given.size < open.size ? given.keys() : open.keys();
    for (const path of paths) {
      const askers = open.get(path);
      if (askers !== undefined && given.get(path)?.has(this.#wanted.namespace) === true) this.#tell(askers);
    }
  }

  #tell(askers: ReadonlySet<P>): void {
    if (this.#told.has(askers)) return;
    this.#told.add(askers);
    for (const asker of askers) this.referring.push(asker);
  }
}

/** By the text of the path. Nothing that is given is undefined. */
type GivenNamespaces = ReadonlyMap<string, ReadonlySet<string | undefined>>;

/** The namespaces at each path that leads to one. */
function* namespacesIn(start: unknown, root: NamespaceNode): Generator<void, GivenNamespaces> {
  const given = new Map<string, Set<string | undefined>>();
  const visit: Visit<NamespaceNode> = (value, node) => {
    if (typeof value === 'object' && value !== null) return stepInto(value, node, visit);
    if (typeof value !== 'string' || value === '' || node.path === undefined) return undefined;
    const known = given.get(node.path);
    if (known === undefined) given.set(node.path, new Set([value]));
    else known.add(value);
    return undefined;
  };
  yield* visit(start, root) ?? [];
  return given;
}

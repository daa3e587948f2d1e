// A page of whole objects, whose bytes are overwritten by the next page. Only objects that may contain the wanted name are parsed, one at a time, and of a
// large one only the wanted parts. A page that does not look like kcp's is parsed whole.
import { elementsOf, PageScan, type Elements, type JsonProjection } from '@dep-ctrl/fieldpath';
import type { ListPage, Page } from '@dep-ctrl/kcp-client';
import { parseKubeObject, type KubeObject } from '@dep-ctrl/kcp-names';

/** The next object, or undefined where a piece of the work is done and others may go on. */
export type ObjectPieces = Generator<KubeObject | undefined, void>;

/** A page of whole objects, while it is there. */
export interface ObjectsPage extends Pick<Page, 'restarted' | 'last'> {
  /** How many objects follow this page, as far as kcp says. */
  readonly remainingItemCount: number | undefined;
  /**
   * The objects that may hold a string which equals the name; the others certainly do not. Of each at least the parts. Throws what parsing a
   * page throws.
   */
  holding(name: string, parts: JsonProjection): ObjectPieces;
  /** All objects. */
  all(parts: JsonProjection): ObjectPieces;
}

/** The pages, each good until the next one is asked for. */
export async function* objectsPages(pages: AsyncIterable<ListPage>): AsyncGenerator<ObjectsPage, void> {
  for await (const page of pages) {
    const objects = new PageObjects(page);
    const { restarted, last, remainingItemCount } = page;
    try {
      yield {
        restarted,
        last,
        remainingItemCount,
        holding: (name, parts) => objects.holding(name, parts),
        all: (parts) => objects.all(parts),
      };
    } finally {
      objects.end();
    }
  }
}

/** The object of that name, of which at least the parts; none where the bytes are no such object. */
export function* objectNamed(name: string, bytes: Buffer, parts: JsonProjection): ObjectPieces {
  const object = yield* parseObject(bytes, bytes.length > PARSED_WHOLE_BYTES ? parts : undefined, () => undefined);
  if (object?.metadata.name === name) yield object;
}

// A parse of so much takes 10 ms at most, whatever its author put into it. Nearly all objects are smaller.
const PARSED_WHOLE_BYTES = 64 * 1024;

class PageObjects {
  readonly #page: ListPage;
  readonly #scan: PageScan;
  readonly #small = new Map<number, KubeObject>();
  /** By what is wanted of them. */
  readonly #large = new Map<JsonProjection, Map<number, KubeObject>>();
  /** Undefined: not looked for yet, or not to be found. */
  #elements: Elements | undefined;
  #whole: readonly KubeObject[] | undefined;
  #isOver = false;

  constructor(page: ListPage) {
    this.#page = page;
    this.#scan = new PageScan(page.bytes);
  }

  *holding(name: string, parts: JsonProjection): ObjectPieces {
    this.#check();
    if (this.#scan.couldHold(name)) yield* this.#some((elements) => elements.holding(name), parts);
  }

  *all(parts: JsonProjection): ObjectPieces {
    yield* this.#some(({ count }) => Array.from({ length: count }, (_, index) => index), parts);
  }

  end(): void {
    this.#isOver = true;
  }

  *#some(choose: (elements: Elements) => readonly number[], parts: JsonProjection): ObjectPieces {
    if (this.#whole === undefined) this.#elements ??= yield* this.#walked();
    const told = new Set<number>();
    for (const index of this.#elements === undefined ? [] : choose(this.#elements)) {
      const object = yield* this.#object(index, parts);
      if (object === undefined) {
        this.#elements = undefined; // the parse of the whole page says what is wrong
        break;
      }
      told.add(index);
      yield object;
      this.#check();
    }
    if (this.#elements === undefined) yield* (this.#whole ??= this.#page.objects()).filter((_, index) => !told.has(index));
  }

  *#walked(): Generator<undefined, Elements | undefined> {
    const walk = elementsOf(this.#page.bytes, 'items');
    for (;;) {
      const { done, value } = walk.next();
      if (done === true) return value;
      yield undefined;
      this.#check();
    }
  }

  // Other bytes stand there by now: what they hold is no answer.
  #check(): void {
    if (this.#isOver) throw new Error('a page is asked for objects after the next one was read');
  }

  *#object(index: number, parts: JsonProjection): Generator<undefined, KubeObject | undefined> {
    const bytes = this.#elements?.bytes(index) ?? Buffer.alloc(0);
    const isLarge = bytes.length > PARSED_WHOLE_BYTES;
    const parsed = isLarge ? (this.#large.get(parts) ?? new Map<number, KubeObject>()) : this.#small;
    if (isLarge) this.#large.set(parts, parsed);
    const known = parsed.get(index);
    if (known !== undefined) return known;
    const object = yield* parseObject(bytes, isLarge ? parts : undefined, () => this.#check());
    if (object !== undefined) parsed.set(index, object);
    return object;
  }
}

function* parseObject(bytes: Buffer, parts: JsonProjection | undefined, check: () => void): Generator<undefined, KubeObject | undefined> {
  try {
    const object = parseKubeObject(parts === undefined ? JSON.parse(bytes.toString()) : yield* inPieces(bytes, parts, check));
    return object.ok ? object.value : undefined;
  } catch (failure) {
    if (failure instanceof SyntaxError) return undefined;
    throw failure;
  }
}

function* inPieces(bytes: Buffer, parts: JsonProjection, check: () => void): Generator<undefined, unknown> {
  const pieces = parts.parse(bytes);
  for (;;) {
    const { done, value } = pieces.next();
    if (done === true) return value;
    yield undefined;
    check();
  }
}

// A page of whole objects whose bytes are overwritten by the next page. Of a page that kcp wrote only those objects are parsed that may
// hold the name which is asked for, each once however many ask; any other page is parsed whole.
import { elementsOf, PageScan, type Elements } from '@dep-ctrl/fieldpath';
import type { ListPage, Page } from '@dep-ctrl/kcp-client';
import { parseKubeObject, type KubeObject } from '@dep-ctrl/kcp-names';

/** A page of whole objects, while it is there. */
export interface ObjectsPage extends Pick<Page, 'restarted' | 'last'> {
  /** How many objects follow this page, as far as kcp says. */
  readonly remainingItemCount: number | undefined;
  /** The objects that may hold a string which equals the name; the others certainly do not. Throws what parsing a page throws. */
  holding(name: string): readonly KubeObject[];
}

/** The pages, each good until the next one is asked for. */
export async function* objectsPages(pages: AsyncIterable<ListPage>): AsyncGenerator<ObjectsPage, void> {
  for await (const page of pages) {
    const objects = new PageObjects(page);
    const { restarted, last, remainingItemCount } = page;
    try {
      yield { restarted, last, remainingItemCount, holding: (name) => objects.holding(name) };
    } finally {
      objects.end();
    }
  }
}

class PageObjects {
  readonly #page: ListPage;
  readonly #scan: PageScan;
  readonly #parsed = new Map<number, KubeObject>();
  /** Undefined: not looked for yet, or not to be found. */
  #elements: Elements | undefined;
  #whole: readonly KubeObject[] | undefined;
  #isOver = false;

  constructor(page: ListPage) {
    this.#page = page;
    this.#scan = new PageScan(page.bytes);
  }

  holding(name: string): readonly KubeObject[] {
    // Other bytes stand there by now: what they hold is no answer.
    if (this.#isOver) throw new Error('a page is asked for objects after the next one was read');
    if (!this.#scan.couldHold(name)) return [];
    return this.#whole ?? this.#some(name) ?? (this.#whole = this.#page.objects());
  }

  end(): void {
    this.#isOver = true;
  }

  #some(name: string): readonly KubeObject[] | undefined {
    this.#elements ??= elementsOf(this.#page.bytes, 'items');
    const objects = this.#elements?.holding(name).map((index) => this.#object(index));
    return objects?.every((object) => object !== undefined) === true ? objects : undefined;
  }

  #object(index: number): KubeObject | undefined {
    const known = this.#parsed.get(index);
    if (known !== undefined) return known;
    const object = parseObject(this.#elements?.text(index) ?? '');
    if (object !== undefined) this.#parsed.set(index, object);
    return object;
  }
}

function parseObject(text: string): KubeObject | undefined {
  try {
    const object = parseKubeObject(JSON.parse(text));
    return object.ok ? object.value : undefined;
  } catch {
    return undefined; // the parse of the whole page says what is wrong
  }
}

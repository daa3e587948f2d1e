// Remembers of which lists the whole objects are so few that they come sooner than a Table and then its candidates. Both ways give the same answer.

/** The first page of a list. */
export interface FirstPage {
  readonly form: 'table' | 'objects';
  readonly byteLength: number;
  readonly last: boolean;
}

/** Some ten to forty rows: a row has 50 to 100 bytes, and a column of the head 200 (kcp 0.32). */
const FEW_ROWS_BYTES = 4 * 1024;
/** Some twenty objects. What is larger costs more to receive than the reads by name that it saves. */
const FEW_OBJECTS_BYTES = 64 * 1024;
/** 3 MB. A list that is forgotten is read as a Table once more. */
const MOST = 10_000;

/** What the last reading of each list showed. */
export class FewObjects {
  /** `large`: few rows whose objects are large. The list that was noted first comes first. */
  readonly #known = new Map<string, 'few' | 'large'>();

  /** Whether the objects of a list were few. */
  has(list: string): boolean {
    return this.#known.get(list) === 'few';
  }

  /** Notes the first page of a list. A Table does not show how large objects are: that is found out once. */
  note(list: string, { form, byteLength, last }: FirstPage): void {
    const known = this.#known.get(list);
    if (form === 'objects') this.#remember(list, last && byteLength <= FEW_OBJECTS_BYTES ? 'few' : 'large');
    else if (known === undefined && last && byteLength <= FEW_ROWS_BYTES) this.#remember(list, 'few');
  }

  #remember(list: string, size: 'few' | 'large'): void {
    this.#known.set(list, size);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST && oldest !== undefined) this.#known.delete(oldest);
  }
}

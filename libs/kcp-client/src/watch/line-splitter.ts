const NEWLINE = 0x0a;

/** Cuts a byte stream into lines. Holds at most one unfinished line. */
export class LineSplitter {
  #unfinished: Buffer[] = [];
  #length = 0;

  /** Bytes of the line that has not ended yet. */
  get pendingBytes(): number {
    return this.#length;
  }

  /** The lines that this chunk completes, without their ends; empty lines are left out. */
  push(chunk: Buffer): Buffer[] {
    const lines: Buffer[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const line = this.#complete(chunk, start, end);
      if (line.length > 0) lines.push(line);
      start = end + 1;
    }
    if (start < chunk.length) {
      this.#unfinished.push(chunk.subarray(start));
      this.#length += chunk.length - start;
    }
    return lines;
  }

  #complete(chunk: Buffer, start: number, end: number): Buffer {
    if (this.#length === 0) return chunk.subarray(start, end);
    this.#unfinished.push(chunk.subarray(start, end));
    const line = Buffer.concat(this.#unfinished);
    this.#unfinished = [];
    this.#length = 0;
    return line;
  }
}

/** A text of this many characters becomes a Blob, which browsers keep outside of the page's memory. */
const maxTextLength = 1_048_576;

/** A file that grows by rows. Rows count once they are confirmed: the rest can be dropped after a failure. */
export class FileParts {
  readonly #parts: Blob[] = [];
  #confirmed: string[] = [];
  #confirmedLength = 0;
  #pending: string[] = [];
  #rows = 0;
  #last: string | undefined;

  /** Confirmed rows. */
  get rows(): number {
    return this.#rows;
  }

  /** The last confirmed row. */
  get last(): string | undefined {
    return this.#last;
  }

  /** Rows that are not confirmed yet. */
  get pendingRows(): number {
    return this.#pending.length;
  }

  add(row: string): void {
    this.#pending.push(row);
  }

  confirm(): void {
    const text = this.#pending.join('');
    this.#rows += this.#pending.length;
    this.#last = this.#pending.at(-1) ?? this.#last;
    this.#pending = [];
    this.#confirmed.push(text);
    this.#confirmedLength += text.length;
    if (this.#confirmedLength >= maxTextLength) this.#flush();
  }

  /** Drops the rows after the last confirmed one. */
  dropPending(): void {
    this.#pending = [];
  }

  /** A state to return to with `reset`. */
  mark(): { parts: number; rows: number } {
    this.#flush();
    return { parts: this.#parts.length, rows: this.#rows };
  }

  reset({ parts, rows }: { parts: number; rows: number }): void {
    this.#flush();
    this.#parts.length = parts;
    this.#rows = rows;
    this.#pending = [];
  }

  /** The file of the confirmed rows. */
  toBlob(head: string, type: string): Blob {
    this.#flush();
    return new Blob([head, ...this.#parts], { type });
  }

  #flush(): void {
    if (this.#confirmedLength > 0) this.#parts.push(new Blob(this.#confirmed));
    this.#confirmed = [];
    this.#confirmedLength = 0;
  }
}

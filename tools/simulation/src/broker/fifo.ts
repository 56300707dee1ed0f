/** A queue that takes constant time at both ends. */
export class Fifo<Item> {
  #items: Item[] = [];
  /** Number of removed elements of `#items`. */
  #taken = 0;

  get length(): number {
    return this.#items.length - this.#taken;
  }

  /** The element that `shift` would return. */
  peek(): Item | undefined {
    return this.#items[this.#taken];
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  shift(): Item | undefined {
    if (this.length === 0) return undefined;
    const item = this.#items[this.#taken++];
    if (this.#taken > 1024 && this.#taken * 2 > this.#items.length) this.#compact();
    return item;
  }

  /** Adds items before all others, in their order. */
  unshift(items: readonly Item[]): void {
    if (items.length > 0) this.replace([...items, ...this]);
  }

  replace(items: Item[]): void {
    this.#items = items;
    this.#taken = 0;
  }

  *[Symbol.iterator](): IterableIterator<Item> {
    for (let index = this.#taken; index < this.#items.length; index++)
      yield this.#items[index] as Item;
  }

  #compact(): void {
    this.replace(this.#items.slice(this.#taken));
  }
}

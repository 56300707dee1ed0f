import { SortedList } from './sorted-list.ts';

/** Rows by partition key, in the order of their positions. */
export class Partitions<Position, Row extends Position & { readonly partition: string }> {
  readonly #compare: (left: Position, right: Position) => number;
  readonly #partitions = new Map<string, SortedList<Position, Row>>();

  constructor(compare: (left: Position, right: Position) => number) {
    this.#compare = compare;
  }

  get(partition: string): SortedList<Position, Row> | undefined {
    return this.#partitions.get(partition);
  }

  set(row: Row): void {
    let partition = this.#partitions.get(row.partition);
    if (partition === undefined) {
      partition = new SortedList<Position, Row>(this.#compare);
      this.#partitions.set(row.partition, partition);
    }
    partition.set(row);
  }

  delete(row: Row): void {
    const partition = this.#partitions.get(row.partition);
    partition?.delete(row);
    if (partition?.size === 0) this.#partitions.delete(row.partition);
  }

  /** All rows, partition by partition in the order of creation. */
  *rows(): Generator<Row, void> {
    for (const partition of this.#partitions.values()) {
      for (let index = 0; index < partition.size; index++) yield partition.at(index);
    }
  }
}

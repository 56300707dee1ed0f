import type { Table } from '@engawa/table';

/** What a maker of rollups asks of the table. */
export type ControlledTable = Pick<Table, 'get' | 'put' | 'query' | 'transact'>;

/** Holds each request of the maker until it is told to go on. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();
  #next = Promise.withResolvers<() => void>();
  #free = false;

  /** Requests made at the same time go one by one. */
  take<Answer>(request: () => Promise<Answer>): Promise<Answer> {
    const before = this.#last;
    const answered = (async () => {
      await before;
      await this.#turn();
      return request();
    })();
    this.#last = answered.catch(() => undefined);
    return answered;
  }

  /** One request, from when it is made until the next one is, or until there is none. */
  async give(ended: Promise<unknown>): Promise<void> {
    const go = await Promise.race([this.#next.promise, ended]);
    if (typeof go !== 'function') return;
    this.#next = Promise.withResolvers();
    (go as () => void)();
    await Promise.race([this.#next.promise, ended]);
  }

  async #turn(): Promise<void> {
    if (this.#free) return;
    const turn: PromiseWithResolvers<void> = Promise.withResolvers();
    this.#next.resolve(turn.resolve);
    await turn.promise;
  }

  async free(ended: Promise<unknown>): Promise<void> {
    this.#free = true;
    await this.give(ended);
  }
}

/** The table, each request of which waits for its turn. */
export function inTurn(table: ControlledTable, turns: Turns): ControlledTable {
  return {
    get: (...given) => turns.take(() => table.get(...given)),
    query: (question) => turns.take(() => table.query(question)),
    put: (...given) => turns.take(() => table.put(...given)),
    transact: (writes) => turns.take(() => table.transact(writes)),
  };
}

/** All ways to mix `makers` steps of one with `writers` of another. */
export function orders(makers: number, writers: number): string[][] {
  if (makers === 0) return [Array<string>(writers).fill('writer')];
  if (writers === 0) return [Array<string>(makers).fill('maker')];
  return [
    ...orders(makers - 1, writers).map((rest) => ['maker', ...rest]),
    ...orders(makers, writers - 1).map((rest) => ['writer', ...rest]),
  ];
}

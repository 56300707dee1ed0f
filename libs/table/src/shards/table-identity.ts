import { randomUUID } from 'node:crypto';
import { tableIdKey } from '@engawa/keys';
import { absent } from '../items/expression.ts';
import { errorKindOf } from '../errors/dynamo-error.ts';
import { ConditionFailed } from '../errors/write-errors.ts';
import type { Logger } from 'pino';
import type { Table } from '../table.ts';

export interface TableIdentityOptions {
  table: Pick<Table, 'update'>;
  log: Logger;
}

/** @param forMs how long ago the former table was last seen, in milliseconds */
export type OnReplaced = (forMs: number) => void;

/**
 * Detects that the table was deleted and created again, by an id that is an item of the table. DescribeTable would need
 * a permission of its own, and another request (docs/adr/0098).
 */
export class TableIdentity {
  readonly #options: TableIdentityOptions;
  readonly #watchers: OnReplaced[] = [];
  #id: unknown;
  #wasMissing = false;
  /** Start of the last read of the table, in monotonic milliseconds. */
  #seenAt = -Infinity;

  constructor(options: TableIdentityOptions) {
    this.#options = options;
  }

  /** Calls back after each replacement of the table. A process that watches the table also gives it its id. */
  watch(onReplaced: OnReplaced): void {
    this.#watchers.push(onReplaced);
  }

  /** To be called when reading the table failed: its absence ends its identity. */
  failed(error: unknown): void {
    if (errorKindOf((error as Error | undefined)?.cause) === 'table_missing')
      this.#wasMissing = true;
  }

  /**
   * @param found the id in the table; undefined where it has none
   * @param startedAt when the read began, in monotonic milliseconds
   * @returns whether the table is another than at the last read
   */
  async read(found: unknown, startedAt: number): Promise<boolean> {
    const id = found ?? (this.#watchers.length > 0 ? await this.#create() : undefined);
    const isReplaced =
      this.#seenAt > -Infinity && (this.#wasMissing || (this.#id !== undefined && id !== this.#id));
    const forMs = startedAt - this.#seenAt;
    [this.#id, this.#wasMissing, this.#seenAt] = [id, false, startedAt];
    if (!isReplaced) return false;
    this.#options.log.warn('the table was deleted and created again: forgetting what was cached');
    for (const onReplaced of this.#watchers) onReplaced(forMs);
    return true;
  }

  /** @returns the id that the table has now; undefined where it cannot be written */
  async #create(): Promise<unknown> {
    const { table, log } = this.#options;
    try {
      const set = { id: randomUUID() };
      return (await table.update(tableIdKey, { set, onlyIf: absent('pk') }))['id'];
    } catch (error) {
      if (error instanceof ConditionFailed) return error.item?.['id'];
      log.debug({ err: error }, 'giving the table its id failed');
      return undefined;
    }
  }
}

import { parseKey } from '@engawa/keys';
import { keyOf } from '@engawa/model';
import { queryPages } from '@engawa/table';
import type { ParsedKey } from '@engawa/keys';
import type { Document } from '@engawa/model';
import type { QueryRequest, Table } from '@engawa/table';

export interface PurgeOptions {
  table: Table;
  /** Aborts on shutdown; another replica, or this one after its next start, continues the job. */
  signal: AbortSignal;
  /** Call it before each deletion; rejects once the claim is lost. */
  keepClaim: () => Promise<void>;
  /** Called with the number of items deleted. */
  onDeleted: (items: number) => void;
}

/** Items deleted between two checks of the claim: four requests. */
const itemsPerStep = 100;

/** Deletes the selected items of a Query, page by page. */
export async function purgeFound(
  options: PurgeOptions,
  question: QueryRequest,
  isMeant: (key: ParsedKey) => boolean = () => true,
): Promise<void> {
  const { table, signal, keepClaim, onDeleted } = options;
  for await (const { items } of queryPages(table, { ...question, signal })) {
    const keys = items.map(keyOf).filter((key) => isMeant(parseKey(key)));
    for (let start = 0; start < keys.length; start += itemsPerStep) {
      const step = keys.slice(start, start + itemsPerStep);
      await keepClaim();
      await table.deleteAll(step, { signal });
      onDeleted(step.length);
    }
  }
}

/** Iterates over the items of a Query. */
export async function* found(
  { table, signal, keepClaim }: PurgeOptions,
  question: QueryRequest,
): AsyncGenerator<Document> {
  for await (const { items } of queryPages(table, { ...question, consistent: true, signal })) {
    for (const item of items) {
      signal.throwIfAborted();
      await keepClaim();
      yield item;
    }
  }
}

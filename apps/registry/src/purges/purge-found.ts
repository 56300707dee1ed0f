import { parseKey } from '@engawa/keys';
import { keyOf } from '@engawa/model';
import type { ParsedKey } from '@engawa/keys';
import type { Document } from '@engawa/model';
import type { PageKey, QueryRequest, Table } from '@engawa/table';

export interface PurgeOptions {
  table: Table;
  /** Aborts when the service closes: the purge job is continued by another replica, or after the next start. */
  signal: AbortSignal;
  /** Rejects when this replica may delete nothing more of it; call it before each deletion. */
  keepClaim: () => Promise<void>;
  /** Told of each number of items that have been deleted. */
  erased: (items: number) => void;
}

/** Items deleted under one look at the claim: four requests. */
const itemsInStep = 100;

/** Deletes the items of the Query whose keys are meant, a page at a time. */
export async function purgeFound(
  options: PurgeOptions,
  question: QueryRequest,
  isMeant: (key: ParsedKey) => boolean = () => true,
): Promise<void> {
  const { table, signal, keepClaim, erased } = options;
  for await (const page of pagesOf(options, question)) {
    const keys = page.map(keyOf).filter((key) => isMeant(parseKey(key)));
    for (let start = 0; start < keys.length; start += itemsInStep) {
      const step = keys.slice(start, start + itemsInStep);
      await keepClaim();
      await table.deleteAll(step, { signal });
      erased(step.length);
    }
  }
}

/** The items of the Query, one at a time. */
export async function* found(
  options: PurgeOptions,
  question: QueryRequest,
): AsyncGenerator<Document> {
  for await (const page of pagesOf(options, { ...question, consistent: true })) {
    for (const item of page) {
      options.signal.throwIfAborted();
      await options.keepClaim();
      yield item;
    }
  }
}

async function* pagesOf(
  { table, signal }: PurgeOptions,
  question: QueryRequest,
): AsyncGenerator<Document[]> {
  let after: PageKey | undefined;
  do {
    const page = await table.query({ ...question, ...(after && { after }), signal });
    yield page.items;
    after = page.next;
  } while (after !== undefined);
}

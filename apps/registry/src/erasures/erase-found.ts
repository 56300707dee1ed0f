import { parseKey } from '@engawa/keys';
import { keyOf } from '@engawa/model';
import type { ParsedKey } from '@engawa/keys';
import type { PageKey, Question, Table } from '@engawa/table';

export interface EraseOptions {
  table: Table;
  /** Aborts when the service closes: what is left is found again. */
  signal: AbortSignal;
  /** Told of each page of items that is gone. */
  erased: (items: number) => void;
}

/** Deletes what the Query finds, a page at a time, as far as it is to be deleted by its key. */
export async function eraseFound(
  { table, signal, erased }: EraseOptions,
  question: Question,
  isMeant: (key: ParsedKey) => boolean = () => true,
): Promise<void> {
  let after: PageKey | undefined;
  do {
    const page = await table.query({ ...question, ...(after && { after }), signal });
    const keys = page.items.map(keyOf).filter((key) => isMeant(parseKey(key)));
    await table.deleteAll(keys, { signal });
    erased(keys.length);
    after = page.next;
  } while (after !== undefined);
}

/** Of memberships, those that began by then: others are of a later thing of the same id. */
export function membershipsUntil(time: number): (key: ParsedKey) => boolean {
  return (key) => key.item === 'membership' && key.since <= time;
}

import { oversizedPartition, oversizedSort } from './key-size.ts';
import { writesOf } from './writes-of.ts';
import type { Item } from '../attribute.ts';
import type { ClientRequest } from '../plans/plan.ts';
import type { IndexSchema } from '../schema.ts';

/** Rejects a write with an index key that is too long, also when the item lacks the index's other key attribute. */
export async function refusedIndexKey(asked: ClientRequest): Promise<string | undefined> {
  for (const { table: name, item } of writesOf(asked)) {
    if (item === undefined) continue;
    const table = await asked.upstream.table(name, asked.headers);
    const [message] = table.indexes.flatMap((index) => oversizedKey(index, item) ?? []);
    if (message !== undefined) return message;
  }
  return undefined;
}

function oversizedKey({ key: { partition, sort } }: IndexSchema, item: Item): string | undefined {
  return (
    oversizedPartition(item[partition]) ??
    (sort === undefined ? undefined : oversizedSort(item[sort]))
  );
}

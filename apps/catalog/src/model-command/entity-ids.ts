import { plainValue } from './plain-value.ts';
import type { TaggedItem, WorkbenchTable } from './workbench-format.ts';

/** Characters that an id may have. */
const maxIdLength = 128;

/**
 * The id of each row: its partition key if unique within the facet, else both keys. Undefined for a row without a valid
 * id.
 */
export function idsOf(
  { KeyAttributes }: WorkbenchTable,
  rows: readonly TaggedItem[],
): (string | undefined)[] {
  const { PartitionKey, SortKey } = KeyAttributes;
  const partitions = rows.map((row) => textOf(row[PartitionKey.AttributeName]));
  const isUnique = new Set(partitions).size === rows.length;
  const seen = new Set<string>();
  return rows.map((row, index) => {
    const sort = SortKey === undefined || isUnique ? undefined : textOf(row[SortKey.AttributeName]);
    const id = [partitions[index], sort].filter((part) => part !== undefined).join('/');
    if (id === '' || id === '.' || id === '..' || id.length > maxIdLength || seen.has(id))
      return undefined;
    seen.add(id);
    return id;
  });
}

function textOf(value: TaggedItem[string] | undefined): string | undefined {
  const [tag] = Object.keys(value ?? {});
  if (value === undefined || tag === undefined) return undefined;
  const plain = plainValue(value, tag);
  return typeof plain === 'string' || typeof plain === 'number' ? String(plain) : undefined;
}

import type { Key } from '@engawa/keys';
import type { Table } from '@engawa/table';

/** Milliseconds by which a move may lie in the future. */
const futureAllowed = 60_000;

export interface Deleted {
  /** Of the item itself. */
  key: Key;
  before: number;
}

/**
 * Up to when what refers to a deleted thing was of it. While there is no other of the same id, nothing new can refer to it:
 * then also what was to begin a little after the deletion.
 */
export async function horizonOf(table: Table, { key, before }: Deleted): Promise<number> {
  const another = await table.get(key, { consistent: true });
  return another === undefined ? before + futureAllowed : before;
}

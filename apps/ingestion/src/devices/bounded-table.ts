import { Semaphore } from '../concurrency/semaphore.ts';
import type { Table } from '@engawa/table';

/** The single-item requests of ingestion. */
export type ItemTable = Pick<Table, 'get' | 'update'>;

/**
 * Limits concurrent requests; further requests wait here, where their timeout does not run yet. Only attempts count,
 * not the delays between them, so that a throttled key does not block requests to other keys.
 */
export function boundedTable(table: ItemTable, maxConcurrent: number): ItemTable {
  const semaphore = new Semaphore(maxConcurrent);
  const bounded = async <Result>(request: () => Promise<Result>): Promise<Result> => {
    const release = await semaphore.acquire(1);
    try {
      return await request();
    } finally {
      release();
    }
  };
  return {
    get: (...parameters) => bounded(() => table.get(...parameters)),
    update: (...parameters) => bounded(() => table.update(...parameters)),
  };
}

import { catalogOn } from './catalog.ts';
import { untilBuilt } from './types.ts';
import type { Catalog } from './catalog.ts';
import type { StartedTable } from './table.ts';

/** A replica that waits `settleMs` before it builds a changed type; by default for longer than a test. */
export function startSettling(started: StartedTable, settleMs = 600_000): Promise<Catalog> {
  const often = { TYPE_REFRESH_MS: '50', TASK_REFRESH_MS: '200' };
  return catalogOn(started, { ...often, TYPE_SETTLE_MS: String(settleMs) });
}

/** Replaces the replica by one that waits `settleMs`. */
export async function restartSettling(
  catalog: Catalog,
  started: StartedTable,
  settleMs: number,
): Promise<Catalog> {
  await catalog.close();
  return startSettling(started, settleMs);
}

/**
 * Replaces the replica by one that builds at once: no write with the previous declaration is running.
 * @returns the other replica, when the type is built
 */
export async function replaceToBuild(
  catalog: Catalog,
  started: StartedTable,
  type: string,
): Promise<Catalog> {
  const other = await restartSettling(catalog, started, 0);
  await untilBuilt(other, type);
  return other;
}

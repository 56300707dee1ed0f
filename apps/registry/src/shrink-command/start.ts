import { setTimeout as delay } from 'node:timers/promises';
import { openTable } from '@engawa/table';
import { priceOf } from './price-of.ts';
import { shrinkableLists } from './shrinkable-list.ts';
import { shrinkList, ShrinkCancelled } from './shrink-list.ts';
import type { ServiceContext } from '@engawa/service';
import type { Config } from './config.ts';

export { settings } from './config.ts';

/** Logs the price of fewer shards of a list and, once it is confirmed, moves the entries; then the process exits. */
export async function start(context: ServiceContext<Config>): Promise<void> {
  const { config, log, signal } = context;
  const { table, shards } = openTable(context);
  await table.waitUntilReady(signal);

  const family = config.SHRINK_FAMILY;
  const list = shrinkableLists[family];
  const to = Math.min(config.SHRINK_TO, await shards.toRead(list.family));
  log.info(
    { family, ...(await priceOf({ table, shards, signal }, list, to)) },
    'price of fewer shards',
  );
  if (!config.SHRINK_CONFIRMED) {
    log.info('nothing has changed: SHRINK_CONFIRMED=true moves the entries');
    return;
  }
  const clock = {
    now: () => performance.now(),
    wait: (milliseconds: number) => delay(milliseconds, undefined, { signal }),
  };
  const entriesPerSecond = config.SHRINK_ENTRIES_PER_SECOND;
  const quiescenceMs = config.SHRINK_QUIESCENCE_SECONDS * 1000;
  const options = { table, shards, list, to, entriesPerSecond, clock, quiescenceMs, signal };
  try {
    const moved = await shrinkList(options);
    log.info({ family, shards: to, moved }, 'list has fewer shards');
  } catch (error) {
    if (!(error instanceof ShrinkCancelled)) throw error;
    // No failure: a Job that ran again would take the shards of a hot list away.
    log.warn({ family, to }, 'shrinking was cancelled: the number of shards has changed meanwhile');
  }
}

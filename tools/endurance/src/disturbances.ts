import { setTimeout as sleep } from 'node:timers/promises';
import type { IngestionStack } from './ingestion-stack.ts';

/** Minimum and maximum milliseconds between two disturbances of a kind. */
const intervalsMs = {
  kills: [5000, 20_000],
  brokerRestarts: [30_000, 60_000],
  tableRestarts: [30_000, 60_000],
} as const;

/** Maximum downtime of a replica, the broker or the table. */
const maxDowntimeMs = 3000;

export type DisturbanceCounts = Record<keyof typeof intervalsMs, number>;

/** Kills and restarts replicas, broker and table at random until the signal aborts; afterwards all of them run. */
export async function disturb(
  stack: IngestionStack,
  random: () => number,
  signal: AbortSignal,
  counts: DisturbanceCounts,
): Promise<void> {
  const repeat = async (kind: keyof typeof intervalsMs, play: () => Promise<void>) => {
    const [least, most] = intervalsMs[kind];
    while (await waits(least + random() * (most - least), signal)) {
      counts[kind] += 1;
      await play();
    }
  };
  const away = () => sleep(random() * maxDowntimeMs);
  await Promise.all([
    repeat('kills', async () => {
      const replica = Math.floor(random() * stack.replicas);
      await stack.killReplica(replica);
      await away();
      await stack.startReplica(replica);
    }),
    repeat('brokerRestarts', async () => {
      await stack.broker.down();
      await away();
      await stack.broker.up();
    }),
    repeat('tableRestarts', async () => {
      await stack.stopTable();
      await away();
      await stack.startTable();
    }),
  ]);
}

/** @returns whether the time has passed; false if the signal aborted first */
export async function waits(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  try {
    await sleep(milliseconds, undefined, { signal });
    return true;
  } catch {
    return false;
  }
}

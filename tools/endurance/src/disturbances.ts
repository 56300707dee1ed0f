import { setTimeout as sleep } from 'node:timers/promises';
import type { World } from './world.ts';

/** Milliseconds between two disturbances of a kind, at least and at most. */
const between = {
  kills: [5000, 20_000],
  brokerRestarts: [30_000, 60_000],
  tableRestarts: [30_000, 60_000],
} as const;

/** Milliseconds that something stays away, at most. */
const maxAwayMs = 3000;

export type DisturbanceCounts = Record<keyof typeof between, number>;

/** Kills and restarts parts of the world at random, until the signal aborts; then everything runs again. */
export async function disturb(
  world: World,
  random: () => number,
  signal: AbortSignal,
  counts: DisturbanceCounts,
): Promise<void> {
  const repeat = async (kind: keyof typeof between, play: () => Promise<void>) => {
    const [least, most] = between[kind];
    while (await waits(least + random() * (most - least), signal)) {
      counts[kind] += 1;
      await play();
    }
  };
  const away = () => sleep(random() * maxAwayMs);
  await Promise.all([
    repeat('kills', async () => {
      const replica = Math.floor(random() * world.replicas);
      await world.killReplica(replica);
      await away();
      await world.startReplica(replica);
    }),
    repeat('brokerRestarts', async () => {
      await world.broker.down();
      await away();
      await world.broker.up();
    }),
    repeat('tableRestarts', async () => {
      await world.stopTable();
      await away();
      await world.startTable();
    }),
  ]);
}

/** @returns whether the time has passed; false where the signal aborted first */
export async function waits(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  try {
    await sleep(milliseconds, undefined, { signal });
    return true;
  } catch {
    return false;
  }
}

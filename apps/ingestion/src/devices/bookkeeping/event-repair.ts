import { setTimeout as sleep } from 'node:timers/promises';
import { blockRange, earliestInstant, latestInstant, placementKey } from '@engawa/keys';
import { blockReadings, isBlockItem, sortedUnique } from '@engawa/model';
import { isTransient } from '../is-transient.ts';
import type { DeviceKind, Reading } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { Logger } from 'pino';
import type { KnownDevice } from '../known-device.ts';

export interface EventRepairOptions {
  table: Pick<Table, 'get' | 'query'>;
  /** Shows the newest event of these readings at the placement, unless it shows a newer one. */
  show: (device: KnownDevice, readings: readonly Reading[], receivedAt: number) => void;
  log: Logger;
  signal: AbortSignal;
}

/** Kinds of devices whose readings are events. */
const eventKinds: ReadonlySet<DeviceKind> = new Set<DeviceKind>(['contact', 'button']);

/** Milliseconds between two devices: 20 devices per second, about 2 read units each. */
const pauseMs = 50;

/** Maximum number of blocks that are read from a partition, newest first. */
const maxBlocks = 10;

/**
 * Shows events at their placements that a former process stored but did not show before it was killed. Checks each
 * device once, one at a time; a device whose reads fail is checked again after all others.
 */
export async function repairEvents(
  devices: Iterable<KnownDevice>,
  options: EventRepairOptions,
): Promise<void> {
  const { log, signal } = options;
  let waiting = [...devices].filter(
    ({ kind, place }) => place !== undefined && eventKinds.has(kind),
  );
  while (waiting.length > 0) {
    const failed: KnownDevice[] = [];
    for (const device of waiting) {
      try {
        await repair(device, options);
      } catch (error) {
        if (isTransient(error)) failed.push(device);
        else {
          const { id } = device;
          log.warn({ err: error, device: id }, 'looking up the last event of a device failed');
        }
      }
      await sleep(pauseMs, undefined, { signal });
    }
    waiting = failed;
  }
}

async function repair(device: KnownDevice, { table, show, signal }: EventRepairOptions) {
  const { id, place = '', partitions } = device;
  const placement = await table.get(placementKey(place, id), { consistent: true, signal });
  if (placement === undefined) return;
  const pages = await Promise.all(
    partitions.map((pk) => {
      const sk = blockRange(earliestInstant, latestInstant);
      return table.query({ pk, sk, descending: true, consistent: true, limit: maxBlocks, signal });
    }),
  );
  const { since = 0, lastEventAt = -Infinity } = placement;
  const readings = pages
    .flatMap(({ items }) => items.flatMap((item) => (isBlockItem(item) ? blockReadings(item) : [])))
    // Events before the device was placed here belong to another place.
    .filter(({ time }) => time >= Number(since) && time > Number(lastEventAt));
  // A stored event has no time of receipt: one that is received meanwhile is later.
  if (readings.length > 0) show(device, sortedUnique(readings), 0);
}

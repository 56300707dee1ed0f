import { setTimeout as sleep } from 'node:timers/promises';
import { Rejection } from '../../refusals/rejection.ts';
import { lastSentAt } from '../parcel.ts';
import type { ParkedBlock } from '@engawa/model';
import type { Logger } from 'pino';
import type { DeviceRegister } from '../../devices/device-register.ts';
import type { DeviceQueues } from '../device-queues.ts';
import type { ParkedBlocks } from './parked-blocks.ts';
import type { Parking } from './parking.ts';
import type { ParkingMetrics } from './parking-metrics.ts';

export interface AdoptOptions {
  blocks: Pick<ParkedBlocks, 'all' | 'remove'>;
  parking: Pick<
    Parking,
    'adopt' | 'beginRound' | 'isTracked' | 'hasRoom' | 'shouldReadBack' | 'takeSpilled'
  >;
  queues: Pick<DeviceQueues, 'add'>;
  devices: Pick<DeviceRegister, 'find' | 'admit'>;
  metrics: Pick<ParkingMetrics, 'oldest'>;
  /** Name of this replica, stable across restarts. */
  replica: string;
  log: Logger;
  signal: AbortSignal;
}

/**
 * Interval between two rounds. If memory does not hold all parked blocks, the next round follows once most of them are
 * stored.
 */
const roundIntervalMs = 30_000;
const pollIntervalMs = 1000;

/** Age at which any replica may store a parked block of another replica. Storing a block twice changes nothing. */
const takeOverAfterMs = 120_000;

/**
 * Stores parked blocks that no process holds in memory: those of processes that ended, and those beyond the memory
 * limit.
 */
export async function adoptParkedBlocks(options: AdoptOptions): Promise<void> {
  const { log, signal } = options;
  const isClosing = () => signal.aborted;
  while (!isClosing()) {
    let isComplete = true;
    try {
      isComplete = await adoptRound(options);
    } catch (error) {
      if (isClosing()) return;
      log.debug({ err: error }, 'reading parked blocks failed; retrying');
    }
    await waitForNextRound(isComplete, options);
  }
}

async function waitForNextRound(
  isComplete: boolean,
  { parking, signal }: AdoptOptions,
): Promise<void> {
  let isLeft = !isComplete;
  for (
    let waitedMs = 0;
    waitedMs < roundIntervalMs && !signal.aborted;
    waitedMs += pollIntervalMs
  ) {
    await sleep(pollIntervalMs, undefined, { signal, ref: false }).catch(() => undefined);
    isLeft ||= parking.takeSpilled();
    if (isLeft && parking.shouldReadBack) return;
  }
}

/** @returns whether all parked blocks have been seen */
export async function adoptRound(options: AdoptOptions): Promise<boolean> {
  const { blocks, parking, metrics, replica, signal } = options;
  let oldest: number | undefined;
  parking.beginRound();
  let isComplete = true;
  for await (const block of blocks.all(signal)) {
    oldest = Math.min(oldest ?? Infinity, block.parkedAt);
    const isAbandoned = block.owner === replica || Date.now() - block.parkedAt > takeOverAfterMs;
    if (!isAbandoned || parking.isTracked(block.key)) continue;
    if (!parking.hasRoom) {
      isComplete = false;
      break;
    }
    await adopt(block, options);
  }
  metrics.oldest(oldest);
  return isComplete;
}

async function adopt(block: ParkedBlock, options: AdoptOptions): Promise<void> {
  const { blocks, parking, queues, devices, log } = options;
  const { device: id, readings, key } = block;
  const [first] = readings;
  if (first === undefined) return;
  try {
    const device = devices.find(id) ?? (await devices.admit(id, first, lastSentAt([block])));
    queues.add(device, [parking.adopt(device, block)]);
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    // The device was deleted since, and new devices are not admitted.
    log.warn({ device: id, readings: readings.length }, 'parked block discarded: no such device');
    await blocks.remove([key]);
  }
}

import { countMessages, messagesOf } from './batches.ts';
import type { Device } from './homes.ts';
import { devices as allDevices } from './homes.ts';
import type { DeviceMessage } from './message.ts';
import type { PublisherOptions } from './publisher.ts';
import { Publisher } from './publisher.ts';
import { Simulation } from './simulation.ts';

export interface BackfillOptions {
  publisher: Publisher;
  simulation: Simulation;
  devices: readonly Device[];
  /** `[from, to)`, ms since 1970. */
  from: number;
  to: number;
  /** Minutes of readings in a message of a device without a gateway; divides 60. */
  bundleMinutes?: number;
  signal: AbortSignal;
  print: (line: string) => void;
  /** Called with each message that the broker has acknowledged. */
  onAcknowledged?: (message: DeviceMessage) => void;
}

export interface BackfillResult {
  messages: number;
  readings: number;
}

const progressMilliseconds = 2000;
const inWords = (count: number): string => count.toLocaleString('en');

/**
 * Publishes the history in the order of time, as fast as the broker accepts it, and waits for all
 * acknowledgements. Prints its progress every two seconds. Rejects when the signal aborts.
 */
export async function backfill(options: BackfillOptions): Promise<BackfillResult> {
  const { publisher, bundleMinutes = 60, signal, print, onAcknowledged } = options;
  const playing = { ...options, bundleMinutes };
  const all = countMessages(playing);
  const taken: BackfillResult = { messages: 0, readings: 0 };
  const progress = setInterval(() => {
    const share = Math.floor((100 * taken.messages) / Math.max(1, all));
    print(`backfill ${share} % (${inWords(taken.messages)} of ${inWords(all)} messages)`);
  }, progressMilliseconds);
  try {
    for (const message of messagesOf(playing)) {
      await publisher.publish(message, signal, () => {
        if (taken.messages === 0) print('first readings published');
        taken.messages += 1;
        taken.readings += message.readings.length;
        onAcknowledged?.(message);
      });
    }
    await publisher.settled(signal);
  } finally {
    clearInterval(progress);
  }
  print(
    `backfill done: ${inWords(taken.readings)} readings in ${inWords(taken.messages)} messages`,
  );
  return taken;
}

export type PublishBackfillOptions = Omit<
  BackfillOptions,
  'publisher' | 'simulation' | 'devices' | 'signal' | 'print'
> &
  Partial<Pick<BackfillOptions, 'devices' | 'signal' | 'print'>> &
  Pick<PublisherOptions, 'url' | 'version' | 'window'> & { seed?: string };

/** Connects, publishes the history of all homes (or of `devices`) and disconnects: for tests. */
export async function publishBackfill(options: PublishBackfillOptions): Promise<BackfillResult> {
  const { print = () => undefined, seed, devices = allDevices } = options;
  const { signal = new AbortController().signal } = options;
  const publisher = new Publisher({ ...options, print });
  try {
    const simulation = new Simulation({ seed });
    return await backfill({ ...options, publisher, simulation, devices, signal, print });
  } finally {
    await publisher.close();
  }
}

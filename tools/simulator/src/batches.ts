import type { Device } from './homes.ts';
import type { DeviceMessage } from './message.ts';
import { messageOf } from './message.ts';
import { oneHour, oneMinute } from './physics/clock.ts';
import type { Simulation } from './simulation.ts';

/** The readings of one device in `[from, to)`, to be sent as one message. */
interface ReadingsBatch {
  device: Device;
  from: number;
  to: number;
  /** When the newest of them was taken: batches are sent in this order. */
  newest: number;
}

export interface PlaybackOptions {
  simulation: Simulation;
  devices: readonly Device[];
  /** The simulated time: `[from, to)`, ms since 1970. */
  from: number;
  to: number;
  /** Minutes per message of a device without a gateway; divides an hour. */
  bundleMinutes: number;
}

/** A gateway uploads every ten minutes. */
const gatewayPeriod = 10 * oneMinute;

/**
 * Whole periods by the clock, never by when the play began: playing the same time again then makes the
 * same messages. A gateway's period counts when it ends within the played time; the others are cut off.
 */
function periodBatches(device: Device, playing: PlaybackOptions): ReadingsBatch[] {
  const { from, to } = playing;
  const whole = device.kind === 'climate' && device.home.gateway !== undefined;
  const period = whole ? gatewayPeriod : playing.bundleMinutes * oneMinute;
  const batches: ReadingsBatch[] = [];
  const first = Math.floor(from / period) * period;
  for (let start = first; start < to; start += period) {
    const end = start + period;
    if (whole && end > to) continue;
    const batch = whole
      ? { from: start, to: end }
      : { from: Math.max(start, from), to: Math.min(end, to) };
    const newest = (Math.ceil(batch.to / oneMinute) - 1) * oneMinute;
    if (newest >= batch.from) batches.push({ device, ...batch, newest });
  }
  return batches;
}

function eventBatches(device: Device, { simulation, from, to }: PlaybackOptions): ReadingsBatch[] {
  return simulation
    .readingsBetween(device, from, to)
    .map(({ time }) => ({ device, from: time, to: time + 1, newest: time }));
}

/** An hour by the clock at a time, so that years can be played in little memory. */
function* batchesOf(playing: PlaybackOptions): Generator<ReadingsBatch> {
  const { devices, from, to } = playing;
  let start = from;
  while (start < to) {
    const end = Math.min(to, (Math.floor(start / oneHour) + 1) * oneHour);
    const hour = { ...playing, from: start, to: end };
    yield* devices
      .flatMap((device) =>
        device.kind === 'door' ? eventBatches(device, hour) : periodBatches(device, hour),
      )
      .sort((one, other) => one.newest - other.newest);
    start = end;
  }
}

export function countMessages(playing: PlaybackOptions): number {
  return batchesOf(playing).reduce((count) => count + 1, 0);
}

/** Everything that the devices send of the played time, in the order of time over all devices. */
export function* messagesOf(playing: PlaybackOptions): Generator<DeviceMessage> {
  for (const { device, from, to } of batchesOf(playing)) {
    const readings = playing.simulation.readingsBetween(device, from, to);
    if (readings.length === 0) continue;
    const array = readings.length > 1 || (device.kind === 'climate' && device.home.gateway);
    yield messageOf(device, readings, array ? 'array' : 'single');
  }
}

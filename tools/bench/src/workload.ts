import { blockItem, packReadings } from '@engawa/model';
import { attributesOf } from './attributes.ts';
import type { Reading } from '@engawa/model';

/** Which readings come in which messages: everything follows from a message's number, in whichever process. */
export interface Workload {
  /** First level of the topics: ingestion listens to `engawa` only, so the baseline has another. */
  topic: string;
  /** Begins the ids of the devices, so that runs do not share any. */
  prefix: string;
  devices: number;
  /** Readings of a message; more than one makes an array. */
  readings: number;
  /** Epoch milliseconds of each device's first reading. */
  start: number;
  /** Milliseconds of the readings' own time from one of a device to its next. */
  step: number;
}

/** The messages numbered `from` up to `from + count`. */
export interface Portion {
  workload: Workload;
  from: number;
  count: number;
}

export interface Message {
  topic: string;
  payload: string;
}

export interface PublishedReading {
  device: string;
  /** Epoch milliseconds. */
  time: number;
  fields: Reading['fields'];
}

/** Devices take turns, so message `number` is the `number / devices`th of its device. */
export function messageOf(workload: Workload, number: number): Message {
  const readings = readingsOf(workload, number).map(({ time, fields }) => ({
    ts: new Date(time).toISOString(),
    ...fields,
  }));
  const payload = workload.readings === 1 ? readings[0] : readings;
  return {
    topic: `${workload.topic}/${deviceOf(workload, number)}/readings`,
    payload: JSON.stringify(payload),
  };
}

/**
 * The items, as JSON for DynamoDB, that ingestion makes of `messages` messages of a device: the ones
 * from `number` on, each a round of all devices later.
 */
export function itemsOf(workload: Workload, number: number, messages: number): object[] {
  const device = deviceOf(workload, number);
  const readings = Array.from({ length: messages }, (_, round) =>
    readingsOf(workload, number + round * workload.devices),
  ).flat();
  const blocks = packReadings(device, readings);
  return blocks.map((block) => attributesOf(blockItem({ device, readings: block })));
}

/** The readings of a message, as they are published. */
export function publishedReadings(workload: Workload, number: number): PublishedReading[] {
  const device = deviceOf(workload, number);
  return readingsOf(workload, number).map(({ time, fields }) => ({ device, time, fields }));
}

function deviceOf({ prefix, devices }: Workload, number: number): string {
  return `${prefix}-${String(number % devices).padStart(5, '0')}`;
}

function readingsOf({ devices, readings, start, step }: Workload, number: number): Reading[] {
  const first = Math.floor(number / devices) * readings;
  return Array.from({ length: readings }, (_, index) => {
    const count = first + index;
    return {
      time: start + count * step,
      fields: {
        temperature: (200 + ((number * 7 + count * 13) % 90)) / 10,
        humidity: 30 + ((number + count * 3) % 60),
      },
    };
  });
}

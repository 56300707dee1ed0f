import type { Reading } from '@engawa/model';
import type { DeviceLocation } from './device-locations.ts';

/** Where a reading was taken. */
export interface ReadingSource {
  device: string;
  place: string | undefined;
  room: string | undefined;
}

/** A reading as the listeners receive it. All listeners share its bytes. */
export interface LiveEvent extends ReadingSource {
  sequence: number;
  bytes: Buffer;
}

/** Consecutive events that a listener receives in one write. */
export interface EventBatch {
  events: readonly LiveEvent[];
  /** Of all events, in this order. */
  bytes: Buffer;
}

export function batchOf(events: readonly LiveEvent[]): EventBatch {
  const [first] = events;
  const isOne = first !== undefined && events.length === 1;
  return { events, bytes: isOne ? first.bytes : Buffer.concat(events.map(({ bytes }) => bytes)) };
}

/**
 * A reading from before the device was placed has no place: the device's item does not tell where the device was then
 * (docs/adr/0041).
 */
export function sourceOf(
  device: string,
  { time }: Reading,
  { place, room, since }: DeviceLocation,
): ReadingSource {
  return time < since ? { device, place: undefined, room: undefined } : { device, place, room };
}

/** @param id of the event: `<process>:<sequence>` */
export function readingEvent(id: string, source: ReadingSource, { time, fields }: Reading): Buffer {
  // JSON has no line breaks, which would end the line.
  const data = JSON.stringify({ ...source, time: new Date(time), fields });
  return Buffer.from(`id: ${id}\nevent: reading\ndata: ${data}\n\n`);
}

/** @param count of lost events; undefined if it is unknown */
export function lostEvent(count: number | undefined): Buffer {
  return Buffer.from(`event: lost\ndata: ${JSON.stringify({ count })}\n\n`);
}

/**
 * A comment, which keeps connections open and shows that the service is there. Clients keep the id, and get no event,
 * since there is no data (WHATWG HTML, 9.2.6).
 */
export function heartbeat(id: string): Buffer {
  return Buffer.from(`:\nid: ${id}\n\n`);
}

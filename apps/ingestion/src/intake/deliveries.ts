import { createHash } from 'node:crypto';
import { invariant } from '@engawa/errors';
import { contentOf, eventOf, firstDelivery } from '@engawa/model';
import type { Fields, Reading } from '@engawa/model';
import type { CheckedReadings } from './check-readings.ts';
import type { DeviceReadings } from './device-readings.ts';

type Received = Pick<DeviceReadings, 'device' | 'drafts' | 'receivedAt' | 'source'>;

/** Maximum number of remembered events; a packet identifier is rarely used again within a second. */
const maxEvents = 1000;

/**
 * Gives readings a delivery where time and content do not identify them (docs/adr/0095): a reading without a time of
 * its own, and an event with a time in whole seconds. Two presses of a button in one second differ in nothing else.
 */
export class Deliveries {
  readonly #origin: string;
  readonly #first: string;
  #count = 0;
  #latest = 0;
  /** The devices of which a reading without a time was received in the latest millisecond. */
  readonly #devices = new Set<string>();
  /** Deliveries of events, oldest first. */
  readonly #events = new Set<string>();

  /** @param origin of this process, as `randomOrigin` returns it */
  constructor(origin: string) {
    this.#origin = origin;
    this.#first = firstDelivery(origin);
  }

  /** @returns the readings, with their deliveries */
  identify(checked: CheckedReadings, received: Received): CheckedReadings {
    const { readings, indexes } = checked;
    const { drafts } = received;
    for (let at = 0; at < readings.length; at++) {
      const reading = invariant(readings[at], 'the index is within the readings');
      const index = invariant(indexes[at], 'a checked reading has its index');
      const draft = invariant(drafts[index], 'a checked reading has its draft');
      const isTimeless = draft.time === undefined;
      if (!isTimeless && !isCoarseEvent(reading.time, reading.fields)) continue;
      const place = draft.index ?? index;
      const { deadLetter } = received.source ?? {};
      if (deadLetter !== undefined) reading.delivery = replayed(reading, deadLetter, place);
      else if (isTimeless) reading.delivery = this.#timeless(received);
      else reading.delivery = this.#event(received, reading.time, place);
    }
    return checked;
  }

  /** The first one of a device in a millisecond takes no space in its block. */
  #timeless({ device, receivedAt }: Received): string {
    if (receivedAt > this.#latest) {
      this.#latest = receivedAt;
      this.#devices.clear();
    }
    if (receivedAt < this.#latest || this.#devices.has(device)) return this.#next();
    this.#devices.add(device);
    return this.#first;
  }

  /**
   * A redelivery after a restart has the client and packet identifier of the first delivery. A broker may give a packet
   * identifier to the next message once it is acknowledged; that message has no DUP flag.
   */
  #event({ device, source = {} }: Received, time: number, place: number): string {
    const { session, messageId, duplicate = false } = source;
    if (session === undefined || messageId === undefined) return this.#next();
    const delivery = `${shortHash(session)}${messageId}.${place}`;
    const key = `${delivery} ${time} ${device}`;
    if (this.#events.has(key) && !duplicate) return this.#next();
    this.#events.add(key);
    const [oldest] = this.#events;
    if (this.#events.size > maxEvents && oldest !== undefined) this.#events.delete(oldest);
    return delivery;
  }

  #next(): string {
    this.#count += 1;
    return `${this.#origin}.${this.#count.toString(36)}`;
  }
}

/** With the content, since a replay after a fix stores further values of the same reading. */
function replayed(reading: Reading, deadLetter: string, place: number): string {
  return `${deadLetter}.${place}.${shortHash(contentOf(reading))}`;
}

/** A button or remote reports actions; a door's `contact` is a state, whose repetition says nothing new. */
function isCoarseEvent(time: number, fields: Fields): boolean {
  if (time % 1000 !== 0) return false;
  const event = eventOf(fields);
  return event !== undefined && Object.keys(event).some((name) => !name.endsWith('contact'));
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 6);
}

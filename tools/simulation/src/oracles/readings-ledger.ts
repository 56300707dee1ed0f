import { ExpectedReadings, keyOf } from './expected-readings.ts';
import type {
  ExpectedReading,
  Published,
  PublishedReading,
  ReadingResponse,
} from './expected-readings.ts';

/** Milliseconds by which a reading's time may be earlier or later, because of clock differences and late messages. */
export interface Tolerance {
  earlierMs: number;
  laterMs: number;
}

/** Acknowledged readings of equal identity, which query must return from now on. */
export interface StoredReading {
  key: string;
  fields: ExpectedReading['fields'];
  count: number;
}

/**
 * All readings in messages that the broker has accepted, by the rules of docs/adr/0095: each delivery of a reading
 * without a time is a reading; a measurement with a time is identified by its time and content.
 */
export class ReadingsLedger {
  readonly #devices = new Map<string, ExpectedReadings>();
  readonly #tolerance: Tolerance;

  constructor(tolerance: Tolerance) {
    this.#tolerance = tolerance;
  }

  get devices(): string[] {
    return [...this.#devices.keys()];
  }

  note(reading: ExpectedReading, published: Published): void {
    this.know(reading.device);
    this.#of(reading.device).add({ ...reading, ...published });
  }

  /** Notes a device that may exist without readings, since those that it sent were refused. */
  know(device: string): void {
    this.#devices.set(device, this.#of(device));
  }

  /**
   * Compares the readings that query returns for a device with the published ones. `isComplete`:
   * all readings within their retention must be returned.
   * @param now time of the request (epoch milliseconds)
   * @returns a sentence for each difference
   */
  violationsOf(
    device: string,
    shown: readonly ReadingResponse[],
    { isComplete, now }: { isComplete: boolean; now: number },
  ): string[] {
    const expected = this.#of(device);
    const counts = new Map<string, number>();
    const most = new Map<string, number>();
    const violations = shown.flatMap((reading): string[] => {
      const text = `${device} ${reading.time} ${JSON.stringify(reading.fields)}`;
      const found = expected.find(reading);
      if (typeof found === 'string') return [`${found}: ${text}`];
      const { key, candidates } = found;
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      if (!most.has(key)) most.set(key, mostOf(candidates));
      if (count > (most.get(key) ?? 0)) return [`a reading is stored ${count} times: ${text}`];
      return this.#timeViolations(candidates, Date.parse(reading.time), now).map(
        (violation) => `${violation}: ${text}`,
      );
    });
    if (!isComplete) return violations;
    return [...violations, ...this.#losses(expected, counts, now)];
  }

  /** Acknowledged readings of a device that were measured and published since `since` (epoch milliseconds). */
  storedOf(device: string, since: number): StoredReading[] {
    return [...this.#of(device).groups].flatMap(([key, readings]) => {
      const stored = readings.filter(
        ({ publishedAt, time = publishedAt, outcome }) =>
          Math.min(time, publishedAt) >= since && outcome().isAcknowledged === true,
      );
      const [first] = stored;
      if (first === undefined) return [];
      const count = isDelivered(first) ? stored.length : 1;
      return [{ key, fields: first.fields, count }];
    });
  }

  #of(device: string): ExpectedReadings {
    return this.#devices.get(device) ?? new ExpectedReadings();
  }

  #losses(expected: ExpectedReadings, counts: ReadonlyMap<string, number>, now: number): string[] {
    return [...expected.groups].flatMap(([key, readings]) => {
      const owed = readings.filter(
        (reading) => !reading.outcome().isLost && !this.#mayHaveExpired(reading, now),
      );
      const [first] = owed;
      const count = counts.get(key) ?? 0;
      if (first === undefined || count >= (isDelivered(first) ? owed.length : 1)) return [];
      const { device, publishedAt, fields } = first;
      const when = new Date(publishedAt).toISOString();
      const equal = owed.length === 1 ? '' : ` (${count} of ${owed.length} are stored)`;
      return [`a reading is lost: ${device} published ${when} ${JSON.stringify(fields)}${equal}`];
    });
  }

  #mayHaveExpired({ publishedAt, time = publishedAt, kept }: PublishedReading, now: number) {
    const atLeastMs = kept?.().atLeastMs ?? Infinity;
    return time - this.#tolerance.earlierMs + atLeastMs < now;
  }

  #timeViolations(candidates: readonly PublishedReading[], at: number, now: number): string[] {
    const { earlierMs, laterMs } = this.#tolerance;
    const expiresAfterMs = Math.max(...candidates.map(({ kept }) => kept?.().atMostMs ?? Infinity));
    if (at + expiresAfterMs + blockMs + earlierMs < now) return ['an expired reading is returned'];
    const isNear = candidates.some(
      ({ time, publishedAt, outcome }) =>
        time === at ||
        (at >= publishedAt - earlierMs &&
          at <= Math.max(publishedAt, outcome().deliveredAt ?? 0) + laterMs),
    );
    if (isNear) return [];
    const [first] = candidates;
    return [`wrong time, published at ${new Date(first?.publishedAt ?? 0).toISOString()}`];
  }
}

/**
 * Maximum milliseconds between the oldest and the newest reading of a block. The whole block expires
 * with its newest reading.
 */
const blockMs = 3_600_000;

/** Whether the delivery identifies the reading, not its content. */
function isDelivered({ time, isEvent = false }: ExpectedReading): boolean {
  return time === undefined || isEvent;
}

/** Maximum number of readings that may be stored for published readings of equal identity. */
function mostOf(readings: readonly PublishedReading[]): number {
  const copies = readings.map(({ outcome }) => Math.max(1, outcome().copies));
  return readings.every(isDelivered) ? copies.reduce((sum, count) => sum + count, 0) : 1;
}

/** @returns a sentence for each stored reading that is missing from the response */
export function missing(
  device: string,
  stored: readonly StoredReading[],
  shown: readonly ReadingResponse[],
): string[] {
  return stored.flatMap(({ key, fields, count }) => {
    const found = shown.filter(
      (reading) => keyOf(reading) === key || keyOf({ fields: reading.fields }) === key,
    );
    if (found.length >= count) return [];
    return [`an acknowledged reading is not returned: ${device} ${JSON.stringify(fields)}`];
  });
}

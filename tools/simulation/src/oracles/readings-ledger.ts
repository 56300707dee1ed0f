import { isDeepStrictEqual } from 'node:util';

/** One reading as query has to return it. */
export interface ExpectedReading {
  device: string;
  fields: Readonly<Record<string, unknown>>;
  /** Epoch milliseconds; undefined for a message without a time, which gets the time of its receipt. */
  time?: number;
}

/** A reading as query returns it. */
export interface ReadingResponse {
  /** RFC 3339. */
  time: string;
  fields: Record<string, unknown>;
}

/** The outcome at the broker of the message that contains a reading. */
export interface MessageOutcome {
  /** Whether the broker lost the message, as its profile allows. */
  isLost: boolean;
  /** Whether ingestion has acknowledged the message, which means that its readings are stored. */
  isAcknowledged?: boolean;
  /** Number of deliveries. Without a time, a redelivery to another process makes another reading. */
  attempts: number;
  /** Time of the last delivery (world's wall clock, epoch milliseconds); undefined before the first. */
  deliveredAt?: number | undefined;
}

interface PublishedReading extends ExpectedReading {
  /** World's wall clock (epoch milliseconds). */
  publishedAt: number;
  outcome: () => MessageOutcome;
  /** The retention; unlimited if absent. */
  kept?: () => Retention;
}

/** The minimum and maximum retention of a reading in milliseconds, from its time on. */
export interface Retention {
  atLeastMs: number;
  atMostMs: number;
}

const forEver: Retention = { atLeastMs: Infinity, atMostMs: Infinity };

/** Milliseconds by which a reading's time may be earlier or later, because of clock differences and late messages. */
export interface Tolerance {
  earlierMs: number;
  laterMs: number;
}

/** A reading that query must return from now on. */
export interface StoredReading {
  key: string;
  fields: ExpectedReading['fields'];
}

/**
 * Maximum milliseconds between the oldest and the newest reading of a block. The whole block expires
 * with its newest reading.
 */
const blockMs = 3_600_000;

/** All readings in messages that the broker has accepted. */
export class ReadingsLedger {
  readonly #devices = new Map<string, Map<string, PublishedReading>>();
  readonly #tolerance: Tolerance;

  constructor(tolerance: Tolerance) {
    this.#tolerance = tolerance;
  }

  get devices(): string[] {
    return [...this.#devices.keys()];
  }

  get size(): number {
    return [...this.#devices.values()].reduce((sum, readings) => sum + readings.size, 0);
  }

  note(reading: ExpectedReading, published: Omit<PublishedReading, keyof ExpectedReading>): void {
    const readings = this.#devices.get(reading.device) ?? new Map<string, PublishedReading>();
    this.#devices.set(reading.device, readings);
    readings.set(keyOf(reading.fields), { ...reading, ...published });
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
    const published = this.#devices.get(device) ?? new Map<string, PublishedReading>();
    const seen = new Map<string, number>();
    const violations = shown.flatMap((reading): string[] => {
      const key = keyOf(reading.fields);
      const text = `${device} ${reading.time} ${JSON.stringify(reading.fields)}`;
      const expected = published.get(key);
      if (expected === undefined) return [`a reading was never sent: ${text}`];
      const count = (seen.get(key) ?? 0) + 1;
      seen.set(key, count);
      const most = expected.time === undefined ? Math.max(1, expected.outcome().attempts) : 1;
      if (count > most) return [`a reading is stored ${count} times: ${text}`];
      const { atMostMs } = expected.kept?.() ?? forEver;
      const expiresAt = Date.parse(reading.time) + atMostMs + blockMs;
      if (expiresAt + this.#tolerance.earlierMs < now)
        return [`an expired reading is returned: ${text}`];
      return this.#timeViolations(expected, reading, text);
    });
    if (!isComplete) return violations;
    for (const [key, { outcome, publishedAt, fields, time = publishedAt, kept }] of published) {
      if (seen.has(key) || outcome().isLost) continue;
      const { atLeastMs } = kept?.() ?? forEver;
      if (time - this.#tolerance.earlierMs + atLeastMs < now) continue;
      const when = new Date(publishedAt).toISOString();
      violations.push(`a reading is lost: ${device} published ${when} ${JSON.stringify(fields)}`);
    }
    return violations;
  }

  /** Acknowledged readings of a device that were measured and published since `since` (epoch milliseconds). */
  storedOf(device: string, since: number): StoredReading[] {
    const published = this.#devices.get(device) ?? new Map<string, PublishedReading>();
    return [...published].flatMap(([key, { publishedAt, time = publishedAt, outcome, fields }]) =>
      Math.min(time, publishedAt) >= since && outcome().isAcknowledged === true
        ? [{ key, fields }]
        : [],
    );
  }

  #timeViolations(
    { time, publishedAt, fields, outcome }: PublishedReading,
    shown: ReadingResponse,
    text: string,
  ): string[] {
    if (!isDeepStrictEqual(fields, shown.fields)) return [`wrong values: ${text}`];
    const at = Date.parse(shown.time);
    if (time !== undefined) return at === time ? [] : [`wrong time, expected ${time}: ${text}`];
    const { earlierMs, laterMs } = this.#tolerance;
    const isNear =
      at >= publishedAt - earlierMs &&
      at <= Math.max(publishedAt, outcome().deliveredAt ?? 0) + laterMs;
    return isNear
      ? []
      : [`wrong time, published at ${new Date(publishedAt).toISOString()}: ${text}`];
  }
}

/** @returns a sentence for each stored reading that is missing from the response */
export function missing(
  device: string,
  stored: readonly StoredReading[],
  shown: readonly ReadingResponse[],
): string[] {
  const seen = new Set(shown.map(({ fields }) => keyOf(fields)));
  return stored.flatMap(({ key, fields }) =>
    seen.has(key)
      ? []
      : [`an acknowledged reading is not returned: ${device} ${JSON.stringify(fields)}`],
  );
}

/** The key that identifies a reading among those of its device. */
function keyOf(fields: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(
    Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}

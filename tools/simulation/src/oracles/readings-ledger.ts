import { isDeepStrictEqual } from 'node:util';

/** What query has to answer for one reading. */
export interface ExpectedReading {
  device: string;
  fields: Readonly<Record<string, unknown>>;
  /** Epoch milliseconds; undefined where the message has no time and gets that of its receipt. */
  time?: number;
}

/** A reading as query answers it. */
export interface ShownReading {
  /** RFC 3339. */
  time: string;
  fields: Record<string, unknown>;
}

/** What became of the message that a reading was in, at the broker. */
export interface MessageOutcome {
  /** The broker itself lost it, as it may. */
  isLost: boolean;
  /** Whether ingestion has acknowledged it: then it is stored. */
  isAcknowledged?: boolean;
  /** How often it was delivered. Without a time, what is delivered again to another process is another reading. */
  attempts: number;
  /** When it was delivered last (world's wall clock, epoch milliseconds); undefined where it was not. */
  deliveredAt?: number | undefined;
}

interface PublishedReading extends ExpectedReading {
  /** World's wall clock (epoch milliseconds). */
  publishedAt: number;
  outcome: () => MessageOutcome;
  /** For ever where it is absent. */
  kept?: () => Kept;
}

/** Milliseconds for which a reading is kept, from its time on. */
export interface Kept {
  atLeastMs: number;
  atMostMs: number;
}

const forEver: Kept = { atLeastMs: Infinity, atMostMs: Infinity };

/** Milliseconds by which the clocks of replicas may differ from the world's, both ways, and a message may be late. */
export interface Tolerance {
  earlierMs: number;
  laterMs: number;
}

/** A reading that has to be shown from now on. */
export interface StoredReading {
  key: string;
  fields: ExpectedReading['fields'];
}

/**
 * Milliseconds by which the newest reading of a block, with which all of it expires, is later than
 * the others at most.
 */
const blockMs = 3_600_000;

/** Every reading that the broker took from a device. */
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
   * What is wrong with what a device is said to have sent, in words; all of it that is kept has to
   * be there if `isComplete`.
   * @param now when it was asked (epoch milliseconds)
   */
  violationsOf(
    device: string,
    shown: readonly ShownReading[],
    { isComplete, now }: { isComplete: boolean; now: number },
  ): string[] {
    const published = this.#devices.get(device) ?? new Map<string, PublishedReading>();
    const seen = new Map<string, number>();
    const violations = shown.flatMap((reading): string[] => {
      const key = keyOf(reading.fields);
      const text = `${device} ${reading.time} ${JSON.stringify(reading.fields)}`;
      const expected = published.get(key);
      if (expected === undefined) return [`a reading that nobody sent: ${text}`];
      const count = (seen.get(key) ?? 0) + 1;
      seen.set(key, count);
      const most = expected.time === undefined ? Math.max(1, expected.outcome().attempts) : 1;
      if (count > most) return [`a reading is there ${count} times: ${text}`];
      const { atMostMs } = expected.kept?.() ?? forEver;
      const expiresAt = Date.parse(reading.time) + atMostMs + blockMs;
      if (expiresAt + this.#tolerance.earlierMs < now) return [`it has expired: ${text}`];
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

  /** Readings of a device that are stored now, of those measured and published since then (epoch milliseconds). */
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
    shown: ShownReading,
    text: string,
  ): string[] {
    if (!isDeepStrictEqual(fields, shown.fields)) return [`other values: ${text}`];
    const at = Date.parse(shown.time);
    if (time !== undefined) return at === time ? [] : [`not at ${time}: ${text}`];
    const { earlierMs, laterMs } = this.#tolerance;
    const isNear =
      at >= publishedAt - earlierMs &&
      at <= Math.max(publishedAt, outcome().deliveredAt ?? 0) + laterMs;
    return isNear ? [] : [`published at ${new Date(publishedAt).toISOString()}: ${text}`];
  }
}

/** @returns what was stored when it was asked for and is not shown, in words */
export function missing(
  device: string,
  stored: readonly StoredReading[],
  shown: readonly ShownReading[],
): string[] {
  const seen = new Set(shown.map(({ fields }) => keyOf(fields)));
  return stored.flatMap(({ key, fields }) =>
    seen.has(key)
      ? []
      : [`a reading is acknowledged and not shown: ${device} ${JSON.stringify(fields)}`],
  );
}

/** What makes it different from all others of its device. */
function keyOf(fields: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(
    Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}

/** A reading as query returns it. */
export interface ReadingResponse {
  /** RFC 3339. */
  time: string;
  fields: Record<string, unknown>;
}

/** One reading as query has to return it. */
export interface ExpectedReading {
  device: string;
  fields: Readonly<Record<string, unknown>>;
  /** Epoch milliseconds; undefined for a message without a time, which gets the time of its receipt. */
  time?: number;
  /** Whether it is an event with a time in whole seconds, of which each delivery is a reading (docs/adr/0095). */
  isEvent?: boolean;
}

/** The outcome at the broker of the message that contains a reading. */
export interface MessageOutcome {
  /** Whether the broker lost the message, as its profile allows. */
  isLost: boolean;
  /** Whether ingestion has acknowledged the message, which means that its readings are stored. */
  isAcknowledged?: boolean;
  /**
   * Number of deliveries that no receiver can recognize as repetitions: without a time, each of them makes another
   * reading.
   */
  copies: number;
  /** Time of the last delivery (world's wall clock, epoch milliseconds); undefined before the first. */
  deliveredAt?: number | undefined;
}

/** The minimum and maximum retention of a reading in milliseconds, from its time on. */
export interface Retention {
  atLeastMs: number;
  atMostMs: number;
}

/** When and how a reading was published. */
export interface Published {
  /** World's wall clock (epoch milliseconds). */
  publishedAt: number;
  outcome: () => MessageOutcome;
  /** The retention; unlimited if absent. */
  kept?: () => Retention;
}

export interface PublishedReading extends ExpectedReading, Published {}

/** The published readings of one device. */
export class ExpectedReadings {
  /** Readings of equal content, and equal time where they have one. */
  readonly groups = new Map<string, PublishedReading[]>();
  readonly #byContent = new Map<string, PublishedReading>();

  add(reading: PublishedReading): void {
    const key = keyOf(reading);
    const group = this.groups.get(key) ?? [];
    this.groups.set(key, group);
    group.push(reading);
    this.#byContent.set(keyOf({ fields: reading.fields }), reading);
  }

  /** The published readings that a returned one may be; if there are none, what is wrong. */
  find(shown: ReadingResponse): string | { key: string; candidates: readonly PublishedReading[] } {
    for (const key of [keyOf(shown), keyOf({ fields: shown.fields })]) {
      const candidates = this.groups.get(key);
      if (candidates !== undefined) return { key, candidates };
    }
    const other = this.#byContent.get(keyOf({ fields: shown.fields }));
    return other === undefined ? 'a reading was never sent' : `wrong time, expected ${other.time}`;
  }
}

/** Equal for readings with equal fields, of which both have the same time, or both have none. */
export function keyOf({
  fields,
  time,
}: {
  fields: Readonly<Record<string, unknown>>;
  time?: number | string;
}): string {
  const content = JSON.stringify(
    Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
  return time === undefined ? content : `${new Date(time).toISOString()} ${content}`;
}

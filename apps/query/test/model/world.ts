import type { CorrectionState } from '@engawa/model';

/** Values by field, each as its JSON text, numbers in their shortest form. */
export type ValuesByField = Readonly<Record<string, string>>;

/** A reading in a block of the table; the same reading may be in two. */
export interface StoredReading {
  device: string;
  time: number;
  values: ValuesByField;
  /** Epoch milliseconds from which its block has expired; Infinity without expiry. */
  expiresAt: number;
  /** Ascending in the order of receipt; Infinity for readings of corrections, which come last. */
  rank: number;
}

/** A device in a room from a time on. */
export interface DeviceSlice {
  device: string;
  place: string;
  room: string;
  since: number;
  until: number;
}

export interface ModelDevice {
  id: string;
  shards: number;
  /** Seconds that its blocks may span. */
  span: number;
  /** Milliseconds that its readings are kept; Infinity without expiry. */
  retention: number;
  lastSeenAt: number;
  /** Epoch milliseconds, before all readings. */
  registeredAt: number;
  /** As its item has them. */
  corrections?: CorrectionState;
}

/** The corrections of a device, in the order of their creation. */
export interface ModelCorrection {
  id: string;
  device: string;
  operation: 'delete' | 'replace' | 'ignore' | 'reset';
  from: number;
  to: number;
  fields: readonly string[] | undefined;
  readings: readonly { time: number; values: ValuesByField }[];
  isUndone: boolean;
}

/** All that there is, in plain lists, from which answers are worked out without the service. */
export interface World {
  name: string;
  /** Epoch milliseconds, in which readings are. */
  from: number;
  to: number;
  /** Epoch milliseconds of the service's clock. */
  now: number;
  devices: ModelDevice[];
  readings: StoredReading[];
  slices: DeviceSlice[];
  rooms: { place: string; room: string }[];
  corrections: ModelCorrection[];
  /**
   * Questions with a bucket that is marked although all its values are known: the search for values before the range
   * ends early.
   */
  needlessMarks: number;
  /** Questions whose states exceed the limits of a request. */
  refusals: number;
}

/** Of the same readings, so that all texts are equal where they are. */
export function contentText(values: ValuesByField): string {
  const names = Object.keys(values).sort();
  return `[${names.map((name) => `[${JSON.stringify(name)},${values[name] ?? ''}]`).join(',')}]`;
}

/** The last of each: a reading is the same as another if device, time and content are. */
export function unique(readings: readonly StoredReading[]): StoredReading[] {
  const known = new Map<string, StoredReading>();
  for (const reading of readings) {
    const name = JSON.stringify([reading.device, reading.time, contentText(reading.values)]);
    if (reading.rank >= (known.get(name)?.rank ?? -1)) known.set(name, reading);
  }
  return [...known.values()];
}

/** A block is gone in the second after it expires. */
export function isVisible({ expiresAt }: StoredReading, now: number): boolean {
  return expiresAt >= now;
}

import type { Reading } from '@engawa/model';
import type { Span, SpanContext } from '@opentelemetry/api';

/** Readings of one device that arrived together, on their way to the table. */
export interface Parcel {
  readonly readings: readonly Reading[];
  /** Epoch milliseconds: when the readings were received. */
  readonly receivedAt: number;
  /** Whether a broker replayed the message, which does not tell when it was published. */
  readonly isReplayed?: boolean;
  /** Trace span of the message or request that waits for the parcel, while it waits. */
  readonly traceSpan?: Span | undefined;
  /** Called once all readings are durable, in blocks or parked blocks, except those passed to `refuse`. */
  resolve(): void;
  /** Called with readings that the table rejects, before `resolve`. */
  refuse(readings: readonly Reading[], detail: string): void;
  /** Called instead of `resolve` when the process ends first: the outcome is unknown. */
  fail(error: unknown): void;
}

/** The readings of all parcels. */
export function readingsOf(parcels: readonly Parcel[]): readonly Reading[] {
  const [first] = parcels;
  if (first !== undefined && parcels.length === 1) return first.readings;
  // flatMap takes several times as long.
  const readings: Reading[] = [];
  for (const parcel of parcels) for (const reading of parcel.readings) readings.push(reading);
  return readings;
}

/** Epoch milliseconds: when the first of the parcels was received. */
export function receiptOf(parcels: readonly Parcel[]): number {
  let first = Infinity;
  for (const { receivedAt } of parcels) first = Math.min(first, receivedAt);
  return first;
}

/** Epoch milliseconds: when the last of the parcels was received. */
export function lastReceiptOf(parcels: readonly Parcel[]): number {
  return parcels.reduce((last, { receivedAt }) => Math.max(last, receivedAt), -Infinity);
}

/**
 * Epoch milliseconds: when the device last sent one of the parcels. This is their receipt, and does not depend on the
 * times of the readings. Only a replayed parcel counts at the latest time of its readings, since its receipt says
 * nothing. Undefined without readings of the present (Sparkplug marks historical ones).
 */
export function lastSentAt(
  parcels: readonly Pick<Parcel, 'readings' | 'receivedAt' | 'isReplayed'>[],
): number | undefined {
  let last: number | undefined;
  for (const { readings, receivedAt, isReplayed } of parcels) {
    // No Math.max(...times): a message may hold more readings than a call takes arguments.
    let latest: number | undefined;
    for (const { time, isHistorical } of readings) {
      if (isHistorical !== true) latest = Math.max(latest ?? time, time);
    }
    if (latest === undefined) continue;
    const sentAt = isReplayed === true ? Math.min(latest, receivedAt) : receivedAt;
    last = Math.max(last ?? sentAt, sentAt);
  }
  return last;
}

/** Trace spans that the blocks of these parcels originate from; undefined without tracing. */
export function originsOf(parcels: readonly Parcel[]): SpanContext[] | undefined {
  if (!parcels.some(({ traceSpan }) => traceSpan !== undefined)) return undefined;
  return parcels.flatMap(({ traceSpan }) => traceSpan?.spanContext() ?? []);
}

/** A reading that the table rejects. */
export interface RefusedReading {
  reading: Reading;
  detail: string;
}

/** Ends the wait for these parcels: their readings are durable, except the rejected ones. */
export function resolveAll(parcels: readonly Parcel[], refused: readonly RefusedReading[]): void {
  for (const parcel of parcels) {
    if (refused.length > 0) refuseOwn(parcel, refused);
    parcel.resolve();
  }
}

function refuseOwn(parcel: Parcel, refused: readonly RefusedReading[]): void {
  const readings = new Set(parcel.readings);
  const own = refused.filter(({ reading }) => readings.has(reading));
  const [first] = own;
  if (first === undefined) return;
  parcel.refuse(
    own.map(({ reading }) => reading),
    first.detail,
  );
}

/** A parcel whose readings may also be durable as a parked block. */
export interface QueuedParcel extends Parcel {
  /** The readings are parked: no acknowledgement waits for them. */
  readonly isParked: boolean;
  /** The parcel is parked and no longer in memory: it will be read back from the table. */
  readonly isSpilled: boolean;
}

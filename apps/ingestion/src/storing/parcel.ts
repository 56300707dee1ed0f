import type { Reading } from '@engawa/model';
import type { Span, SpanContext } from '@opentelemetry/api';

/** One device's readings out of one message, on their way to the table. */
export interface Parcel {
  readonly readings: readonly Reading[];
  /** Of the message or request that waits for it, while it waits. */
  readonly span?: Span | undefined;
  /** Called once the readings are durable, as readings or as a dead letter. */
  resolve(): void;
  /** Called for readings that the table refuses; the parcel is resolved all the same once the refusal is kept. */
  refuse(readings: readonly Reading[], detail: string): void;
  /** Called instead of `resolve` where the process ends first and the outcome is unknown. */
  fail(error: unknown): void;
}

/** What the blocks of these parcels came from; undefined where nothing is traced. */
export function originsOf(parcels: readonly Parcel[]): SpanContext[] | undefined {
  if (parcels.every(({ span }) => span === undefined)) return undefined;
  return parcels.flatMap(({ span }) => span?.spanContext() ?? []);
}

/** A reading that the table refuses. */
export interface RefusedReading {
  reading: Reading;
  detail: string;
}

/** The readings of these parcels are durable, but for those that the table refuses. */
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
  /** Its readings are parked, so that no acknowledgement waits for them. */
  readonly isParked: boolean;
  /** It is parked and has left this process's memory: it will be read back from the table. */
  readonly isSpilled: boolean;
}

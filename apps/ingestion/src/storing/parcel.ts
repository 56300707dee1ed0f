import type { Reading } from '@engawa/model';
import type { Span, SpanContext } from '@opentelemetry/api';

/** One device's readings out of one message, on their way to the table. */
export interface Parcel {
  readonly readings: readonly Reading[];
  /** Of the message or request that waits for it, while it waits. */
  readonly span?: Span | undefined;
  /** Called once the readings are durable, as readings or as a dead letter. */
  settle(): void;
  /** Called for readings that the table refuses; the parcel is settled all the same once the refusal is kept. */
  refuse(readings: readonly Reading[], detail: string): void;
  /** Called instead of `settle` where the process ends first and the outcome is unknown. */
  fail(error: unknown): void;
}

/** What the blocks of these parcels came from; undefined where nothing is traced. */
export function originsOf(parcels: readonly Parcel[]): SpanContext[] | undefined {
  if (parcels.every(({ span }) => span === undefined)) return undefined;
  return parcels.flatMap(({ span }) => span?.spanContext() ?? []);
}

/** A parcel whose readings may also be durable as a parked block. */
export interface QueuedParcel extends Parcel {
  /** Its readings are parked, so that no acknowledgement waits for them. */
  readonly isParked: boolean;
  /** It is parked and has left this process's memory: it will be read back from the table. */
  readonly isSpilled: boolean;
}

import { RefusalList } from '../refusals/refusal.ts';
import type { Reading } from '@engawa/model';
import type { Span } from '@opentelemetry/api';
import type { Refusal } from '../refusals/refusal.ts';
import type { Parcel } from './parcel.ts';

/** Waits for the outcome of a parcel. Must not throw. */
export interface ParcelSender {
  /** All readings are durable, except those that the table rejected. */
  stored(refusals: readonly Refusal[]): void;
  /** The process ends first: the outcome is unknown. */
  failed(error: unknown): void;
}

const none: readonly Refusal[] = [];

/** A parcel whose sender waits for the outcome. */
export class PendingParcel implements Parcel {
  readonly readings: readonly Reading[];
  readonly traceSpan: Span | undefined;
  readonly #indexes: readonly number[];
  readonly #sender: ParcelSender;
  #refused: RefusalList | undefined;

  /** @param indexes of the readings among all readings that arrived together */
  constructor(
    { readings, indexes }: { readings: readonly Reading[]; indexes: readonly number[] },
    traceSpan: Span | undefined,
    sender: ParcelSender,
  ) {
    this.readings = readings;
    this.traceSpan = traceSpan;
    this.#indexes = indexes;
    this.#sender = sender;
  }

  resolve(): void {
    this.#sender.stored(this.#refused?.all ?? none);
  }

  fail(error: unknown): void {
    this.#sender.failed(error);
  }

  refuse(readings: readonly Reading[], detail: string): void {
    this.#refused ??= new RefusalList();
    const refused = new Set(readings);
    for (const [at, reading] of this.readings.entries()) {
      const index = this.#indexes[at];
      if (index === undefined || !refused.has(reading)) continue;
      this.#refused.add({ reason: 'refused_by_table', detail, index });
    }
  }
}

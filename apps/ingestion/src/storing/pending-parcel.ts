import { invariant } from '@engawa/errors';
import { toIngestResult } from '../intake/check-readings.ts';
import { isReplayed } from '../intake/device-readings.ts';
import { RefusalList, refusalOf } from '../refusals/refusal.ts';
import type { Reading } from '@engawa/model';
import type { Span } from '@opentelemetry/api';
import type { CheckedReadings } from '../intake/check-readings.ts';
import type { DeviceReadings } from '../intake/device-readings.ts';
import type { IngestCaller } from '../intake/ingest-caller.ts';
import type { Parcel } from './parcel.ts';

type Sender = Pick<DeviceReadings, 'receivedAt' | 'source' | 'isUploaded' | 'traceSpan'>;

/** A parcel whose sender waits for the outcome. */
export class PendingParcel implements Parcel {
  readonly readings: readonly Reading[];
  readonly receivedAt: number;
  readonly isReplayed: boolean;
  readonly traceSpan: Span | undefined;
  readonly #checked: CheckedReadings;
  readonly #caller: IngestCaller;
  #refused: RefusalList | undefined;

  constructor(checked: CheckedReadings, sender: Sender, caller: IngestCaller) {
    this.readings = checked.readings;
    this.receivedAt = sender.receivedAt;
    this.isReplayed = isReplayed(sender);
    this.traceSpan = sender.traceSpan;
    this.#checked = checked;
    this.#caller = caller;
  }

  resolve(): void {
    this.#caller.resolve(toIngestResult(this.#checked, this.#refused?.all));
  }

  fail(error: unknown): void {
    this.#caller.reject(error);
  }

  refuse(readings: readonly Reading[], detail: string): void {
    this.#refused ??= new RefusalList();
    const refused = new Set(readings);
    const refusal = refusalOf('table-rejects', { message: detail });
    for (const [at, reading] of this.readings.entries()) {
      if (!refused.has(reading)) continue;
      const index = invariant(this.#checked.indexes[at], 'a checked reading has its index');
      this.#refused.add({ ...refusal, index });
    }
  }
}

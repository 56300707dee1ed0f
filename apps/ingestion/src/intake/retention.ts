import { invariant } from '@engawa/errors';
import { RefusalList, refusalOf } from '../refusals/refusal.ts';
import type { DeviceKind } from '@engawa/model';
import type { CheckedReadings } from './check-readings.ts';

const dayMs = 86_400_000;

/** Refuses readings that would expire before they are stored. */
export class Retention {
  readonly #days: (kind: DeviceKind) => number;

  /** @param days for which readings of a kind of device are kept; 0: without a limit */
  constructor(days: (kind: DeviceKind) => number) {
    this.#days = days;
  }

  /** Seconds for which readings of a kind of device are kept; undefined: without a limit. */
  seconds(kind: DeviceKind): number | undefined {
    return (this.#days(kind) * dayMs) / 1000 || undefined;
  }

  /**
   * The readings that are not older than the retention of the device's kind, with the refusals of the others. The age
   * is that of now, not of the receipt: a dead letter may be replayed much later.
   * @param kind that of the device, by which its blocks expire
   */
  withoutExpired(checked: CheckedReadings, kind: DeviceKind): CheckedReadings {
    const days = this.#days(kind);
    if (days === 0) return checked;
    const oldest = Date.now() - days * dayMs;
    if (checked.readings.every(({ time }) => time >= oldest)) return checked;
    const kept: CheckedReadings = { ...checked, readings: [], indexes: [] };
    const refusals = (kept.refusals ??= new RefusalList());
    const expired = checked.indexes.filter(
      (_, at) => invariant(checked.readings[at], 'each index has its reading').time < oldest,
    );
    refusals.dropPartial(new Set(expired));
    for (const [at, reading] of checked.readings.entries()) {
      const index = invariant(checked.indexes[at], 'a checked reading has its index');
      if (reading.time >= oldest) {
        kept.readings.push(reading);
        kept.indexes.push(index);
      } else {
        const time = new Date(reading.time).toISOString();
        refusals.add({ ...refusalOf('reading-expired', { time, kind, max: days }), index });
      }
    }
    return kept;
  }
}

import { Counter } from 'prom-client';
import { mergeAhead } from './clock-ahead.ts';
import type { ClockAhead } from '@engawa/model';
import type { Registry } from 'prom-client';
import type { KnownDevice } from './known-device.ts';

/** Counts readings ahead of their receipt, in total and by device. */
export class ClockWatch {
  readonly #readings: Counter;

  constructor(registry: Registry) {
    this.#readings = new Counter({
      name: 'engawa_ingest_readings_ahead_total',
      help: 'Readings whose time is more than a minute ahead of their receipt: a clock or a time zone is wrong. The registry shows them by device (`clockAhead`).',
      registers: [registry],
    });
  }

  /** The next update of the device's item shows it. */
  ahead(device: KnownDevice, ahead: ClockAhead): void {
    this.#readings.inc(ahead.readings);
    device.ahead = mergeAhead(device.ahead, ahead);
  }
}

import { Counter } from 'prom-client';
import type { Registry } from 'prom-client';

/** Counts the readings of POST /v1/readings. */
export class UploadMetrics {
  readonly #readings: Counter<'outcome'>;

  constructor(registry: Registry) {
    this.#readings = new Counter({
      name: 'engawa_ingest_http_readings_total',
      help: 'Readings received over HTTP, by outcome: stored or refused.',
      labelNames: ['outcome'],
      registers: [registry],
    });
  }

  stored(readings: number): void {
    this.#readings.inc({ outcome: 'stored' }, readings);
  }

  refused(readings: number): void {
    this.#readings.inc({ outcome: 'refused' }, readings);
  }
}

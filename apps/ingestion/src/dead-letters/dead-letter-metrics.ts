import { Counter } from 'prom-client';
import type { DeadLetterReason } from '@engawa/model';
import type { Registry } from 'prom-client';

/** Counts dead letters that are written and removed. */
export class DeadLetterMetrics {
  readonly #kept: Counter<'reason'>;
  readonly #ended: Counter<'by'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#kept = new Counter({
      name: 'engawa_ingest_dead_letters_total',
      help: 'Dead letters written, by their first reason.',
      labelNames: ['reason'],
      registers,
    });
    this.#ended = new Counter({
      name: 'engawa_ingest_dead_letters_ended_total',
      help: 'Dead letters removed, by cause: replay or discard. Expired dead letters are not counted.',
      labelNames: ['by'],
      registers,
    });
  }

  stored(reason: DeadLetterReason): void {
    this.#kept.inc({ reason });
  }

  ended(by: 'replay' | 'discard'): void {
    this.#ended.inc({ by });
  }
}

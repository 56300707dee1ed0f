import { LatencyHistogram } from '@engawa/service';
import { Counter } from 'prom-client';
import type { Registry } from 'prom-client';
import type { DynamoErrorKind } from '../errors/error-kind.ts';
import type { Throttling } from '../errors/throttling.ts';

/** One attempt of a DynamoDB request; each retry of the SDK is an attempt. */
export interface Attempt {
  /** DynamoDB's name: `BatchWriteItem`. */
  operation: string;
  /** The index that the request reads, otherwise `table`. */
  index: string;
}

/** Metrics of the table's requests. */
export class TableMetrics {
  readonly #attempts;
  readonly #seconds;
  readonly #throttled;
  readonly #unprocessed;
  readonly #units;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#attempts = new Counter({
      name: 'engawa_table_attempts_total',
      help: 'Attempts of DynamoDB requests, retries included.',
      labelNames: ['operation', 'index', 'outcome'],
      registers,
    });
    this.#seconds = new LatencyHistogram(registry, {
      name: 'engawa_table_attempt_seconds',
      help: 'Duration in seconds of an attempt of a DynamoDB request, from its signing to the end of the response. Does not include the wait for a free connection.',
      labelNames: ['operation', 'index', 'outcome'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    });
    this.#throttled = new Counter({
      name: 'engawa_table_throttled_attempts_total',
      help: 'Attempts that DynamoDB throttled, in whole or in part, by reason and scope of the limit. `unprocessed`: DynamoDB returned items of a batch. A cancelled transaction has its cancellation code as reason.',
      labelNames: ['operation', 'index', 'reason', 'scope'],
      registers,
    });
    this.#unprocessed = new Counter({
      name: 'engawa_table_unprocessed_items_total',
      help: 'Items of batches that DynamoDB returned unprocessed.',
      labelNames: ['operation'],
      registers,
    });
    this.#units = new Counter({
      name: 'engawa_table_consumed_units_total',
      help: 'Capacity units consumed, as reported by DynamoDB.',
      labelNames: ['operation', 'index', 'unit'],
      registers,
    });
  }

  attempted({ operation, index }: Attempt, outcome: 'ok' | DynamoErrorKind, seconds: number): void {
    this.#attempts.inc({ operation, index, outcome });
    this.#seconds.observe({ operation, index, outcome }, seconds);
  }

  throttled(operation: string, { index, reason, scope }: Omit<Throttling, 'unit'>): void {
    this.#throttled.inc({ operation, index, reason, scope });
  }

  unprocessed(operation: string, items: number): void {
    this.#unprocessed.inc({ operation }, items);
  }

  consumed({ operation, index }: Attempt, unit: 'read' | 'write', units: number): void {
    this.#units.inc({ operation, index, unit }, units);
  }
}

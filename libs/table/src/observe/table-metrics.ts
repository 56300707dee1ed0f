import { LatencyHistogram } from '@engawa/service';
import { Counter } from 'prom-client';
import type { Registry } from 'prom-client';
import type { DynamoErrorKind } from '../errors/dynamo-error.ts';
import type { Throttling } from '../errors/throttling.ts';

/** One try of a request at DynamoDB, below the SDK's retries. */
export interface Attempt {
  /** As DynamoDB calls it: `BatchWriteItem`. */
  operation: string;
  /** `table`, or the index asked. */
  index: string;
}

/** Everything that is measured of the table. */
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
      help: 'Attempts of DynamoDB requests, retries counted too.',
      labelNames: ['operation', 'index', 'outcome'],
      registers,
    });
    this.#seconds = new LatencyHistogram(registry, {
      name: 'engawa_table_attempt_seconds',
      help: 'Seconds that an attempt of a DynamoDB request took, from when it may use a connection to the end of its answer: without the wait for its turn while as many requests as a client sends at a time are in flight.',
      labelNames: ['operation', 'index', 'outcome'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    });
    this.#throttled = new Counter({
      name: 'engawa_table_throttled_attempts_total',
      help: 'Attempts that DynamoDB throttled, in whole or in part, by its reason (`unprocessed`: parts of a batch came back; a code: of a cancelled transaction) and what that concerns.',
      labelNames: ['operation', 'index', 'reason', 'scope'],
      registers,
    });
    this.#unprocessed = new Counter({
      name: 'engawa_table_unprocessed_items_total',
      help: 'Items that DynamoDB gave back from a batch that it took only in part.',
      labelNames: ['operation'],
      registers,
    });
    this.#units = new Counter({
      name: 'engawa_table_consumed_units_total',
      help: 'Capacity units that DynamoDB says it consumed.',
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

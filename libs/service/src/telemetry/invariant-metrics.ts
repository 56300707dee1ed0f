import { InvariantError } from '@engawa/errors';
import { Counter } from 'prom-client';
import type { Registry } from 'prom-client';

/** Counts broken invariants where they are thrown: many are caught, and retried or answered with a problem. */
export function registerInvariantMetrics(registry: Registry): void {
  new Counter({
    name: 'engawa_invariants_broken_total',
    help: 'Errors of this process that its code rules out: each one is a defect of Engawa. The log, or the dead letter of the message, has the sentence that does not hold.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(InvariantError.thrown);
    },
  });
}

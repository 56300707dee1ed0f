import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';
import type { Readiness } from './readiness.ts';

/** Readiness as gauges, evaluated at each scrape. */
export function registerReadinessMetrics(readiness: Readiness, registry: Registry): void {
  new Gauge({
    name: 'engawa_ready',
    help: 'Whether this process is ready according to /readyz (1) or not (0).',
    registers: [registry],
    collect() {
      this.set(readiness.unavailableReasons().some(({ blocks }) => blocks) ? 0 : 1);
    },
  });
  new Gauge({
    name: 'engawa_requirement_met',
    help: 'Whether a requirement of this process is met (1) or not (0). An unmet requirement does not always make the process unready.',
    labelNames: ['requirement'],
    registers: [registry],
    collect() {
      const unmet = new Set(readiness.unavailableReasons().map(({ name }) => name));
      for (const requirement of readiness.names)
        this.set({ requirement }, unmet.has(requirement) ? 0 : 1);
    },
  });
}

import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';
import type { Readiness } from './readiness.ts';

/** Readiness as Prometheus reads it, evaluated at each scrape. */
export function registerReadinessMetrics(readiness: Readiness, registry: Registry): void {
  new Gauge({
    name: 'engawa_ready',
    help: 'Whether /readyz answers that this process is ready (1) or not (0).',
    registers: [registry],
    collect() {
      this.set(readiness.missing().some(({ blocks }) => blocks) ? 0 : 1);
    },
  });
  new Gauge({
    name: 'engawa_requirement_met',
    help: 'Whether a requirement of this process is met (1) or not (0); an unmet one need not make it unready.',
    labelNames: ['requirement'],
    registers: [registry],
    collect() {
      const missing = new Set(readiness.missing().map(({ name }) => name));
      for (const requirement of readiness.names)
        this.set({ requirement }, missing.has(requirement) ? 0 : 1);
    },
  });
}

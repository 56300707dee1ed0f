import { totalmem } from 'node:os';
import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

/** How much memory the process may use, beside prom-client's `process_resident_memory_bytes`, which is how much it does. */
export function registerMemoryMetrics(registry: Registry): void {
  new Gauge({
    name: 'engawa_memory_limit_bytes',
    help: 'Bytes of memory at which the container is killed, or all of the machine where it has no limit.',
    registers: [registry],
  }).set(memoryLimitBytes());
}

/** Of the control group; Node gives 0, or more than there is, where it has none. */
function memoryLimitBytes(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

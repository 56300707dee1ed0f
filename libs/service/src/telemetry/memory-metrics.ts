import { totalmem } from 'node:os';
import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

/** The memory limit of the process; prom-client's `process_resident_memory_bytes` is its memory usage. */
export function registerMemoryMetrics(registry: Registry): void {
  new Gauge({
    name: 'engawa_memory_limit_bytes',
    help: 'Memory limit of the container in bytes, at which Kubernetes kills it; the memory of the machine if the container has no limit.',
    registers: [registry],
  }).set(memoryLimitBytes());
}

/** The limit of the control group; without one, Node returns 0 or more than the memory of the machine. */
function memoryLimitBytes(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

import { ensureTable } from '@engawa/table';
import { OtlpCollector, startTable } from '@engawa/testing';
import { startServiceProcess } from '../service-process.ts';
import type { StartedTable } from '@engawa/testing';
import type { ServiceProcess } from '../service-process.ts';

export interface TracedRegistry {
  table: StartedTable;
  /** Receives the spans of the registry. */
  collector: OtlpCollector;
  registry: ServiceProcess;
  close(): Promise<void>;
}

/** The registry as a process, over a table of its own, with traces to a collector. */
export async function startTracedRegistry(): Promise<TracedRegistry> {
  const collector = new OtlpCollector();
  const table = await startTable(ensureTable);
  const registry = await startServiceProcess('registry', {
    ...table.environment,
    OTEL_EXPORTER_OTLP_ENDPOINT: await collector.listen(),
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  });
  const close = async (): Promise<void> => {
    await registry.end('SIGTERM');
    await collector.close();
    await table.close();
  };
  return { table, collector, registry, close };
}

import { connectTable, ensureTable, TableMetrics } from '@engawa/table';
import { startTable as startEngine } from '@engawa/testing';
import pino from 'pino';
import { Registry } from 'prom-client';
import type { Table } from '@engawa/table';
import type { StartedTable as StartedEngine } from '@engawa/testing';

export interface StartedTable extends StartedEngine {
  table: Table;
}

/** An empty table of the embedded engine, and a connection for the test. */
export async function startTable(): Promise<StartedTable> {
  const started = await startEngine(ensureTable);
  const metrics = new TableMetrics(new Registry());
  const table = connectTable({ ...started.location, metrics, log: pino({ enabled: false }) });
  return {
    ...started,
    table,
    close: async () => {
      table.close();
      await started.close();
    },
  };
}

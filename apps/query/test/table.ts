import { connectTable, ensureTable, TableMetrics } from '@engawa/table';
import { startTable } from '@engawa/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import type { Table } from '@engawa/table';

export interface OpenTable {
  table: Table;
  /** Leads a service to it. */
  environment: Record<string, string>;
  close(): Promise<void>;
}

/** An empty table of the embedded engine, without a service. */
export async function openTable(): Promise<OpenTable> {
  const started = await startTable(ensureTable);
  const metrics = new TableMetrics(new Registry());
  const log = pino({ enabled: false });
  const table = connectTable({ ...started.location, metrics, log });
  return {
    table,
    environment: started.environment,
    close: async () => {
      table.close();
      await started.close();
    },
  };
}

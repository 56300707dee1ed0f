import { startDynamoDb } from '@engawa/embedded';
import { connectTable, ensureTable, TableMetrics } from '@engawa/table';
import pino from 'pino';
import { Registry } from 'prom-client';
import type { Table } from '@engawa/table';

export interface StartedTable {
  table: Table;
  /** Leads a service to the table. */
  environment: Record<string, string>;
  close(): Promise<void>;
}

/** An empty table of the embedded engine. */
export async function startTable(): Promise<StartedTable> {
  const engine = await startDynamoDb();
  const { endpoint } = engine;
  const location = { tableName: 'registry-test', region: 'local', endpoint, timeoutMs: 3000 };
  await ensureTable(location);
  const metrics = new TableMetrics(new Registry());
  const table = connectTable({ ...location, metrics, log: pino({ enabled: false }) });
  return {
    table,
    environment: {
      TABLE_NAME: location.tableName,
      AWS_REGION: location.region,
      DYNAMODB_ENDPOINT: endpoint,
    },
    close: async () => {
      table.close();
      await engine.close();
    },
  };
}

import { contractOf, expectResponse } from '@engawa/http';
import { startService } from '@engawa/service';
import { ListeningPorts, metricValue, requestsDuring, until } from '@engawa/testing';
import * as module from '../src/start.ts';
import { startTable } from './table.ts';
import type { Table } from '@engawa/table';
import type { StartOptions } from '../src/start.ts';
import type { StartedTable } from './table.ts';

export interface TestResponse {
  status: number;
  headers: Headers;
  /** Validated against the OpenAPI document of the service. */
  body: unknown;
}

/** A running service on free ports, with an empty table of the embedded engine. */
export interface Catalog {
  /** The table, accessed without the service. */
  table: Table;
  /** The URL of the API. */
  api: string;
  /** A text body is sent unchanged. */
  ask(
    path: string,
    options?: { method?: string; headers?: Record<string, string>; body?: unknown },
  ): Promise<TestResponse>;
  /** DynamoDB requests of the action by operation, from the service's metrics. */
  costOf(action: () => Promise<unknown>): Promise<Record<string, number>>;
  /** Read units of the action, from the service's metrics. */
  readUnits(action: () => Promise<unknown>): Promise<number>;
  /** The current value of a metric. */
  metric(name: string): Promise<number>;
  close(): Promise<void>;
}

/** A scrape takes milliseconds of the CPU that the index needs, so its log line is awaited. */
class CatalogLog extends ListeningPorts {
  hasFullTextIndex = false;

  override write(line: string): void {
    super.write(line);
    const { msg } = JSON.parse(line) as Record<string, unknown>;
    if (msg === 'full-text index created') this.hasFullTextIndex = true;
  }
}

export async function startCatalog(environment: Record<string, string> = {}): Promise<Catalog> {
  const started = await startTable();
  const catalog = await catalogOn(started, environment);
  return {
    ...catalog,
    close: async () => {
      await catalog.close();
      await started.close();
    },
  };
}

/**
 * A service with a shared table. Its full-text index is built before the test starts, so that all
 * later requests to the table are those of the test.
 */
export async function catalogOn(
  started: StartedTable,
  environment: Record<string, string> = {},
  options: StartOptions = {},
): Promise<Catalog> {
  const log = new CatalogLog();
  const service = await startService({
    name: 'catalog',
    module: { ...module, start: (context) => module.start(context, options) },
    environment: { ...started.environment, PORT: '0', METRICS_PORT: '0', ...environment },
    logDestination: log,
  });
  const api = log.url('PORT');
  const metrics = log.url('METRICS_PORT');
  await until('the full-text index to be built', () => log.hasFullTextIndex);
  const contract = await contractOf(api);
  return {
    table: started.table,
    api,
    ask: async (path, { method = 'GET', headers = {}, body } = {}) => {
      const answer = await fetch(api + path, {
        method,
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const checked = await expectResponse(contract, answer, method.toLowerCase());
      return { status: answer.status, headers: answer.headers, body: checked };
    },
    costOf: (action) => requestsDuring(metrics, action),
    readUnits: async (action) => {
      const units = () =>
        metricValue(metrics, 'engawa_table_consumed_units_total', { unit: 'read' });
      const before = await units();
      await action();
      return (await units()) - before;
    },
    metric: (name) => metricValue(metrics, name),
    close: () => service.close(),
  };
}

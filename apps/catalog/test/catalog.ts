import { contractOf, expectResponse } from '@engawa/http';
import { startService } from '@engawa/service';
import { ListeningPorts, metricValue, until } from '@engawa/testing';
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

/** All DynamoDB operations, including operations that the catalog must not use. */
const operations = [
  'GetItem',
  'Query',
  'UpdateItem',
  'PutItem',
  'BatchGetItem',
  'BatchWriteItem',
  'DeleteItem',
  'TransactWriteItems',
  'Scan',
];

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
    costOf: async (action) => {
      const before = await attempts(metrics);
      await action();
      const after = [...(await attempts(metrics))];
      const made = after.map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const);
      return Object.fromEntries(made.filter(([, count]) => count > 0));
    },
    readUnits: async (action) => {
      const before = await unitsRead(metrics);
      await action();
      return (await unitsRead(metrics)) - before;
    },
    metric: (name) => metricValue(metrics, name),
    close: () => service.close(),
  };
}

async function unitsRead(metrics: string): Promise<number> {
  const lines = await linesOf(metrics);
  const name = 'engawa_table_consumed_units_total{';
  return sumOf(lines.filter((line) => line.startsWith(name) && line.includes('unit="read"')));
}

async function linesOf(metrics: string): Promise<string[]> {
  return (await (await fetch(`${metrics}/metrics`)).text()).split('\n');
}

function sumOf(lines: readonly string[]): number {
  return lines.reduce((total, line) => total + Number(line.slice(line.lastIndexOf(' '))), 0);
}

/** All metrics in one scrape, so that concurrent changes are in all of them or in none. */
async function attempts(metrics: string): Promise<Map<string, number>> {
  const lines = await linesOf(metrics);
  const sum = (begins: string): number =>
    // Retried attempts, on a slow machine, count as one request.
    sumOf(lines.filter((line) => line.startsWith(begins) && !line.includes('outcome="timeout"')));
  const made = operations.map(
    (operation) =>
      [operation, sum(`engawa_table_attempts_total{operation="${operation}"`)] as const,
  );
  const counts = new Map(made);
  // The shard map is polled, not read by a request.
  return counts.set('Query', (counts.get('Query') ?? 0) - sum('engawa_shard_map_reads_total '));
}

import { openDynamoDb, until as waitUntil } from '@engawa/testing';
import pino from 'pino';
import { Registry } from 'prom-client';
import { connectTable, ensureTable, TableMetrics } from '../src/index.ts';
import { FaultProxy } from './fault-proxy.ts';
import type { Heat } from '@engawa/heat';
import type { CapacityDetail, Table } from '../src/index.ts';

/** A table of its own on a real engine, reached through a proxy that can go wrong. */
export interface TableFixture {
  proxy: FaultProxy;
  table: Table;
  registry: Registry;
  /** The messages that were logged, oldest first. */
  logged: string[];
  close(): Promise<void>;
}

/** Why a test needs the embedded engine. */
export const charges =
  'DynamoDB Local charges other units for transactions and for what is not there than DynamoDB does';

/** Milliseconds until an attempt is given up: short, because the tests wait for it. */
export const timeoutMs = 1000;

/** @param heat told of every attempt */
export async function startTable(heat?: Heat): Promise<TableFixture> {
  const engine = await openDynamoDb();
  const tableName = engine.tableNamed('test');
  await ensureTable({ tableName, endpoint: engine.endpoint, timeoutMs: 60_000 });
  const proxy = await FaultProxy.start(engine.endpoint);
  const fixture = connect(tableName, proxy.endpoint, timeoutMs, heat);
  const close = async () => {
    fixture.table.close();
    proxy.close();
    await engine.close();
  };
  return { ...fixture, proxy, close };
}

/** A table that is thought to be at `endpoint`. */
export function connect(
  tableName: string,
  endpoint: string,
  patience = timeoutMs,
  heat?: Heat,
  capacity?: CapacityDetail,
) {
  const registry = new Registry();
  const logged: string[] = [];
  const log = pino({}, { write: (line) => logged.push((JSON.parse(line) as { msg: string }).msg) });
  const metrics = new TableMetrics(registry);
  const place = { tableName, endpoint, timeoutMs: patience };
  const table = connectTable({ ...place, capacity, metrics, heat, log });
  return { table, registry, logged };
}

/** Resolves when the condition holds. */
export async function until(holds: () => boolean): Promise<void> {
  await waitUntil(holds.toString(), holds);
}

/**
 * The value of one series: `metric(registry, 'engawa_table_attempts_total', { outcome: 'ok' })`,
 * summed over the rest.
 */
export async function metric(
  registry: Registry,
  name: string,
  labels: Record<string, string> = {},
): Promise<number> {
  const { values = [] } = (await registry.getSingleMetric(name)?.get()) ?? {};
  const wanted = Object.entries(labels);
  return values
    .filter((value) => wanted.every(([label, text]) => value.labels[label] === text))
    .reduce((sum, { value }) => sum + value, 0);
}

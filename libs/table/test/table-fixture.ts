import { openDynamoDb, until as waitUntil } from '@engawa/testing';
import pino from 'pino';
import { Registry } from 'prom-client';
import { connectTable, ensureTable, TableMetrics } from '../src/index.ts';
import { FaultProxy } from './fault-proxy.ts';
import type { Heat } from '@engawa/heat';
import type { CapacityDetail, Table } from '../src/index.ts';

/** A table on a real engine, through a proxy that injects faults. */
export interface TableFixture {
  proxy: FaultProxy;
  table: Table;
  registry: Registry;
  /** The logged messages, oldest first. */
  logged: string[];
  close(): Promise<void>;
}

/** The reason why a test needs the embedded engine. */
export const charges =
  'DynamoDB Local charges other units than DynamoDB for transactions and for missing items';

/** Timeout of an attempt in milliseconds, which only a request that never ends exceeds. */
const patientMs = 60_000;

/** As `patientMs`, for tests that wait for it. On a busy machine other attempts exceed it, too. */
export const shortMs = 1000;

/**
 * @param heat receives every attempt
 * @param timeoutMs of an attempt
 */
export async function startTable(heat?: Heat, timeoutMs = patientMs): Promise<TableFixture> {
  const engine = await openDynamoDb();
  const tableName = engine.tableNamed('test');
  await ensureTable({ tableName, endpoint: engine.endpoint, timeoutMs: patientMs });
  const proxy = await FaultProxy.start(engine.endpoint);
  const fixture = connect(tableName, proxy.endpoint, timeoutMs, heat);
  const close = async () => {
    fixture.table.close();
    await proxy.close();
    await engine.close();
  };
  return { ...fixture, proxy, close };
}

/** A table at `endpoint`, which may not exist. */
export function connect(
  tableName: string,
  endpoint: string,
  timeoutMs = patientMs,
  heat?: Heat,
  capacity?: CapacityDetail,
) {
  const registry = new Registry();
  const logged: string[] = [];
  const log = pino({}, { write: (line) => logged.push((JSON.parse(line) as { msg: string }).msg) });
  const metrics = new TableMetrics(registry);
  const place = { tableName, endpoint, timeoutMs };
  const table = connectTable({ ...place, capacity, metrics, heat, log });
  return { table, registry, logged };
}

/** Resolves when the condition holds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
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

import * as query from '@engawa/query';
import { blockItem, deviceItem, packReadings } from '@engawa/model';
import { startService } from '@engawa/service';
import { connectTable, ensureTable, TableMetrics } from '@engawa/table';
import { aDevice, ListeningPorts, startTable } from '@engawa/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import type { Reading } from '@engawa/model';

/** The query service over a table of the embedded engine, with the readings of one device. */
export interface QueryService {
  url: string;
  close: () => Promise<void>;
}

/** @param environment settings of the service */
export async function startQuery(
  device: string,
  readings: readonly Reading[],
  environment: Record<string, string> = {},
): Promise<QueryService> {
  const table = await startTable(ensureTable);
  await store(table.location, device, readings);
  const ports = new ListeningPorts();
  const service = await startService({
    name: 'query',
    module: query,
    environment: {
      ...table.environment,
      PORT: '0',
      METRICS_PORT: '0',
      RATE_LIMIT_PER_MINUTE: '0',
      ...environment,
    },
    logDestination: ports,
  });
  return {
    url: ports.url('PORT'),
    close: async () => {
      await service.close();
      await table.close();
    },
  };
}

/** As ingestion stores them. */
async function store(
  location: Awaited<ReturnType<typeof startTable>>['location'],
  device: string,
  readings: readonly Reading[],
): Promise<void> {
  const metrics = new TableMetrics(new Registry());
  const table = connectTable({ ...location, metrics, log: pino({ enabled: false }) });
  const blocks = packReadings(device, readings).map((packed, index) => {
    const receivedAt = packed.at(-1)?.time ?? 0;
    const receipt = { receivedAt, isAhead: false, origin: 'test', sequence: index };
    return blockItem({ device, readings: packed, shard: 0, receipt });
  });
  const writer = table.batchWriter();
  const items = [
    deviceItem(aDevice({ id: device, span: 86_400_000 }), { list: 1, seen: 1 }),
    ...blocks,
  ];
  await Promise.all(items.map((item) => writer.put({ ...item })));
  writer.close();
  table.close();
}

import { createServer } from 'node:http';
import { Heat } from '@engawa/heat';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { connectTable, TableMetrics } from '../src/index.ts';
import type { AddressInfo } from 'node:net';

/** Malformed responses, as from an API that only resembles DynamoDB. */
const answers = [
  { ConsumedCapacity: 7 },
  { ConsumedCapacity: [null] },
  { ConsumedCapacity: { CapacityUnits: 'many', Table: null } },
  { ConsumedCapacity: { GlobalSecondaryIndexes: { gsi1: null, '': { CapacityUnits: -1 } } } },
  { UnprocessedItems: { engawa: {} } },
  { UnprocessedItems: { engawa: [{ PutRequest: null }, null] } },
  { ItemCollectionMetrics: 7, $metadata: 7 },
];
let answer: object = {};
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const type = { 'content-type': 'application/x-amz-json-1.0' };
    response.writeHead(200, type).end(JSON.stringify(answer));
  });
});
const heat = new Heat({ limits: { read: 3000, write: 1000 } });
let table: ReturnType<typeof connectTable>;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  table = connectTable({
    tableName: 'engawa',
    region: 'local',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    timeoutMs: 60_000,
    metrics: new TableMetrics(new Registry()),
    heat,
    log: pino({ level: 'silent' }),
  });
});
afterAll(async () => {
  table.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const item = { pk: 'p', sk: 's', gsi1pk: 'g', gsi1sk: 's' };

it.each(answers)('ignores a response such as %j', async (body) => {
  answer = body;
  await table.put(item);
  await table.delete(item);
  const capacities = heat.indexUnits().flatMap((side) => heat.top(side, 10, performance.now()));
  expect(capacities.every((one) => Number.isFinite(one.unitsPerSecond))).toBe(true);
});

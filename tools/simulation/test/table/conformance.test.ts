import { openDynamoDb } from '@engawa/testing';
import { Random } from '../../src/kernel/random.ts';
import { Comparison } from './comparison.ts';
import { edgeExpressions, edgeItem } from './edge-expressions.ts';
import { edgeRequests } from './edge-requests.ts';
import { Engine } from './engine.ts';
import { RandomRequests } from './random-requests.ts';
import { largePages } from './large-pages.ts';
import type { TestDynamoDb } from '@engawa/testing';
import type { Difference, EngineName } from './difference.ts';

/** The embedded engine, or the endpoint TEST_DYNAMODB_ENDPOINT, which must be Amazon's DynamoDB Local. */
let api: TestDynamoDb;
let engine: Engine;
let name: EngineName;
const used = new Set<Difference>();

beforeAll(async () => {
  api = await openDynamoDb({});
  engine = new Engine(api.endpoint);
  name = api.isNamed ? 'local' : 'embedded';
});
afterAll(async () => {
  engine.close();
  await api.close();
});

async function open(table: string): Promise<Comparison> {
  const comparison = new Comparison(engine, { name, table: api.tableNamed(table), used });
  await comparison.open();
  return comparison;
}

/** Environment variables for more requests: TEST_SEEDS=7,8,9 TEST_REQUESTS=20000. */
const seeds = (process.env['TEST_SEEDS'] ?? '1,2,3').split(',').map(Number);
const requestsPerSeed = Number(process.env['TEST_REQUESTS'] ?? 1500);

it.each(seeds)('answers random requests like the engine (seed %d)', async (seed) => {
  const comparison = await open(`random-${seed}`);
  const requests = new RandomRequests(new Random(seed), comparison.table);
  for (let number = 0; number < requestsPerSeed; number++) await comparison.ask(requests.next());
  expect(comparison.unexplained).toEqual([]);
  // The comparison is meaningful only if enough requests were accepted.
  expect(comparison.agreed.accepted).toBeGreaterThan(requestsPerSeed / 3);
  expect(comparison.agreed.refused).toBeGreaterThan(requestsPerSeed / 5);
});

it('answers edge cases of expressions like the engine', async () => {
  const comparison = await open('expressions');
  for (const request of edgeExpressions(comparison.table)) {
    await comparison.ask({ operation: 'PutItem', input: comparison.put(edgeItem) });
    await comparison.ask(request);
  }
  expect(comparison.unexplained).toEqual([]);
});

it('answers edge cases of keys, sizes, batches and transactions like the engine', async () => {
  const comparison = await open('requests');
  for (const request of edgeRequests(comparison.table)) await comparison.ask(request);
  expect(comparison.unexplained).toEqual([]);
});

it('pages through large results like the engine', async () => {
  const comparison = await open('pages');
  for (const request of largePages(comparison.table)) await comparison.ask(request);
  expect(comparison.unexplained).toEqual([]);
});

it('every tolerated difference from the engine occurs', () => {
  if (process.env['TEST_SEEDS'] !== undefined) return;
  expect(Comparison.unused(name, used)).toEqual([]);
});

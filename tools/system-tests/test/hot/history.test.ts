import { Simulator } from '@engawa/dynamodb-simulator';
import { Metrics, Relay, until } from '@engawa/testing';
import { Backends } from '../backends.ts';
import { ask, askSuccessfully, RunningService } from '../running-service.ts';

interface Run {
  first: number;
  values: number[];
}

type Measure = 'reads' | 'writes' | 'throttles';

interface Row extends Record<Measure, Run[]> {
  index: string;
  partition: string;
  merged: boolean;
}

interface History {
  start: string;
  columns: number;
  rows: Row[];
  reshards: { family: string; from: number; to: number }[];
  processes: { answered: boolean }[];
}

/** Write units per second of a partition: the list of devices is hot with a few new devices a second. */
const limit = 5;
const hotKey = { index: 'gsi1', partition: 'LIST#DEVICE#0', merged: false };

let backends: Backends;
let simulator: Simulator;
let relays: Relay[];
let replicas: RunningService[];

beforeAll(async () => {
  backends = await Backends.start();
  simulator = await Simulator.start({ upstream: backends.environment['DYNAMODB_ENDPOINT'] ?? '' });
  relays = [await Relay.open(), await Relay.open()];
  const environment = {
    ...backends.environment,
    DYNAMODB_ENDPOINT: simulator.endpoint,
    HOT_PARTITION_PEERS: relays.map(({ url }) => url).join(),
    PARTITION_WRITE_LIMIT: String(limit),
  };
  const start = () => RunningService.start('registry', { environment });
  replicas = [await start(), await start()];
  relays.forEach((relay, place) => (relay.target = replicas[place]?.url));
});
afterAll(async () => {
  for (const replica of replicas) await replica.close();
  for (const relay of relays) await relay.close();
  await simulator.close();
  await backends.close();
});

async function historyOf(service: RunningService | undefined, query: string): Promise<History> {
  const { body } = await askSuccessfully(`${service?.url}/v1/hot-partitions/history${query}`);
  return body as unknown as History;
}

function sumOf(rows: readonly Row[], measure: Measure): number {
  return rows
    .flatMap((row) => row[measure].flatMap(({ values }) => values))
    .reduce((sum, value) => sum + value, 0);
}

const hotRow = ({ rows }: History) =>
  rows.find(
    ({ index, partition, merged }) =>
      index === hotKey.index && partition === hotKey.partition && !merged,
  );

/** Creates devices through both replicas until it is stopped. */
async function createDevices(isEnough: () => boolean): Promise<void> {
  let created = 0;
  while (!isEnough()) {
    const ids = Array.from({ length: 10 }, () => `device-${created++}`);
    await Promise.all(
      ids.map((id, place) =>
        ask(`${replicas[place % 2]?.url}/v1/devices/${id}`, { method: 'PUT', body: { name: id } }),
      ),
    );
  }
}

/** Units that DynamoDB reported to both replicas. */
async function consumed(unit: 'read' | 'write', index: string): Promise<number> {
  const all = await Promise.all(replicas.map(({ metricsUrl }) => Metrics.of(metricsUrl)));
  const name = 'engawa_table_consumed_units_total';
  return all.reduce((sum, one) => sum + one.sum(name, { unit, index }), 0);
}

it('shows a hot key with its throttles and reshards, and every unit of all processes', async () => {
  simulator.setLimits({ partition: { write: limit }, burstSeconds: 1 });
  let isEnough = false;
  const marked = async () => {
    const merged = await historyOf(replicas[0], '/merged');
    return (hotRow(merged)?.throttles.length ?? 0) > 0 && merged.reshards.length > 0;
  };
  const watching = until('a hot key with a reshard', marked, {
    progress: () => consumed('write', 'gsi1'),
  }).finally(() => (isEnough = true));
  await Promise.all([watching, createDevices(() => isEnough)]);
  simulator.setLimits({});

  const merged = await historyOf(replicas[0], '/merged');
  expect(merged.processes).toMatchObject([{ answered: true }, { answered: true }]);
  expect(merged.reshards).toMatchObject([{ family: 'LIST#DEVICE', from: 1 }]);
  expect(merged.reshards[0]?.to).toBeGreaterThan(1);
  expect(merged.rows[0]).toMatchObject(hotKey);

  await hotSinceIsInHistory();
  await unitsAreEqual();
});

/** The key has a value in the second from which on it is hot, or in the next one. */
async function hotSinceIsInHistory(): Promise<void> {
  const { body } = await askSuccessfully(`${replicas[0]?.url}/v1/hot-partitions?limit=100`);
  const { partitions } = body as unknown as { partitions: (Row & { hotSince?: string })[] };
  const { hotSince = '' } = partitions.find((one) => one.partition === hotKey.partition) ?? {};
  const history = await historyOf(replicas[0], '');
  const column = Math.floor((Date.parse(hotSince) - Date.parse(history.start)) / 1000);
  const { writes = [], throttles = [] } = hotRow(history) ?? {};
  const columns = [...writes, ...throttles].flatMap(({ first, values }) =>
    values.flatMap((value, place) => (value > 0 ? first + place : [])),
  );
  expect(columns.some((one) => one === column || one === column + 1)).toBe(true);
}

/**
 * The shard map is read in the background, so the figures are compared until they agree. Writes of the table are not
 * compared: the heat has the units of failed conditions, too, which DynamoDB does not report.
 */
async function unitsAreEqual(): Promise<void> {
  for (const [index, unit] of [
    ['gsi1', 'write'],
    ['gsi2', 'write'],
    ['table', 'read'],
  ] as const) {
    let expected = 0;
    await until(`the ${unit} units of ${index} to be in the history`, async () => {
      const { rows } = await historyOf(replicas[1], '/merged');
      expected = await consumed(unit, index);
      const ofIndex = rows.filter((row) => row.index === index);
      return sumOf(ofIndex, `${unit}s`) === expected;
    });
    expect(expected).toBeGreaterThan(0);
  }
}

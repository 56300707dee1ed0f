import { deviceListFamily, shardMapKey } from '@engawa/keys';
import { parseEpochs } from '@engawa/model';
import { Relay, SteadyUse, TokenIssuer, useUntil } from '@engawa/testing';
import { startServiceOnTable } from './start-service-on-table.ts';
import { startTable } from './table.ts';
import type { ServiceOnTable } from './start-service-on-table.ts';
import type { StartedTable } from './table.ts';

const hotFrom = 0.7;
const secret = 'of the replicas of this test, and of no others';
const key = { index: 'gsi1', unit: 'write', partition: 'LIST#DEVICE#0' } as const;

let issuer: TokenIssuer;
let table: StartedTable;
let relays: Relay[];
let replicas: ServiceOnTable[];
let headers: Record<string, string>;
/** Ids of devices that were created. */
let created: string[];

beforeEach(async () => {
  created = [];
  issuer = await TokenIssuer.start();
  headers = { authorization: `Bearer ${await issuer.token({ scope: 'registry:write' })}` };
  table = await startTable();
  relays = await Promise.all([Relay.open(), Relay.open()]);
});
afterEach(async () => {
  await Promise.all([...replicas, ...relays].map((one) => one.close()));
  await table.close();
  await issuer.close();
});

/** Two replicas that want a token of everybody, and know each other's addresses. */
async function start(settings: readonly Record<string, string>[]): Promise<void> {
  const common = {
    ...issuer.environment,
    HOT_PARTITION_PEERS: relays.map(({ url }) => url).join(),
    PARTITION_WRITE_LIMIT: '10',
    RATE_LIMIT_PER_MINUTE: '0',
  };
  replicas = await Promise.all(
    settings.map((own) => startServiceOnTable(table, { ...common, ...own })),
  );
  relays.forEach((relay, index) => (relay.target = replicas[index]?.api));
}

/** Creates devices through each replica, so that each uses such a share of the list's partition. */
function uses(shares: readonly number[]): SteadyUse[] {
  return replicas.map((replica, index) => {
    const send = async () => {
      const id = `device-${created.length}-of-${index}`;
      created.push(id);
      const body = { name: `Name of ${id}` };
      const { status } = await replica.ask(`/v1/devices/${id}`, { method: 'PUT', headers, body });
      expect(status).toBe(201);
    };
    return new SteadyUse({ api: replica.api, key, share: shares[index] ?? 0, headers, send });
  });
}

async function growths(): Promise<number[]> {
  const item = await table.table.get(shardMapKey(deviceListFamily), { consistent: true });
  return item === undefined ? [] : parseEpochs(item['epochs']).map(({ count }) => count);
}

/** The ids of all devices, by the pages of one replica. */
async function listed(): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({ limit: '100', ...(cursor && { cursor }) });
    const { body } = (await replicas[1]?.ask(`/v1/devices?${query.toString()}`, { headers })) ?? {};
    const page = body as { items: { id: string }[]; cursor?: string };
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.cursor;
  } while (cursor !== undefined);
  return ids;
}

it('adds shards to a list that is hot only in total of all replicas, without a token between them', async () => {
  await start([{ CURSOR_SECRET: secret }, { CURSOR_SECRET: secret }]);
  const both = uses([0.5, 0.5]);
  await useUntil(both, 'more shards', async () => (await growths()).length > 0);
  const before = created.length;
  await useUntil(both, 'devices in them', () => created.length > before + 300);
  for (const { highest } of both) expect(highest).toBeLessThan(hotFrom);
  expect(await growths()).toEqual([2]);
  expect((await listed()).sort()).toEqual(created.sort());
});

it('gives a list no more shards of which the sum is below the threshold', async () => {
  await start([{ CURSOR_SECRET: secret }, { CURSOR_SECRET: secret }]);
  const both = uses([0.45, 0.1]);
  const before = relays[1]?.connections ?? 0;
  // As many rounds of requests as would have been enough.
  const rounds = () => (relays[1]?.connections ?? 0) - before;
  await useUntil(both, 'requests', () => rounds() >= 6);
  expect(await growths()).toEqual([]);
  for (const reported of await Promise.all(both.map((one) => one.reported()))) {
    expect(reported).not.toHaveProperty('hotSince');
  }
});

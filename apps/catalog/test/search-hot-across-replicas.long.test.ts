import { attributeFamily, attributePartition, shardMapKey } from '@engawa/keys';
import { parseEpochs } from '@engawa/model';
import { Relay, SteadyUse, useUntil } from '@engawa/testing';
import { catalogOn } from './catalog.ts';
import { artist, declare, make, quiet } from './entities.ts';
import { startTable } from './table.ts';
import type { Catalog } from './catalog.ts';
import type { StartedTable } from './table.ts';

const hotFrom = 0.7;

let started: StartedTable;
let relays: Relay[];
let replicas: Catalog[];
/** Ids of created artists. */
let created: string[];

beforeEach(async () => {
  created = [];
  started = await startTable();
  relays = await Promise.all([Relay.open(), Relay.open()]);
  const settings = {
    ...quiet,
    HOT_PARTITION_PEERS: relays.map(({ url }) => url).join(),
    PARTITION_WRITE_LIMIT: '10',
    RATE_LIMIT_PER_MINUTE: '0',
  };
  const first = await catalogOn(started, settings);
  await declare(first, { Artist: artist });
  replicas = [first, await catalogOn(started, settings)];
  relays.forEach((relay, index) => (relay.target = replicas[index]?.api));
});
afterEach(async () => {
  await Promise.all([...replicas, ...relays].map((one) => one.close()));
  await started.close();
});

/** Creates artists through each replica, so that each uses this share of the search's partition. */
function usesOf(shares: readonly number[]): SteadyUse[] {
  const partition = attributePartition(0, 'Artist', 'byName');
  return replicas.map((replica, index) => {
    const send = async () => {
      const id = `artist-${created.length}-of-${index}`;
      created.push(id);
      await make(replica, ['Artist', id, { attributes: { name: `Name of ${id}` } }]);
    };
    const key = { index: 'gsi2', unit: 'write', partition } as const;
    return new SteadyUse({ api: replica.api, key, share: shares[index] ?? 0, send });
  });
}

async function growths(): Promise<number[]> {
  const key = shardMapKey(attributeFamily('Artist', 'byName'));
  const item = await started.table.get(key, { consistent: true });
  return item === undefined ? [] : parseEpochs(item['epochs']).map(({ count }) => count);
}

/** The ids of all artists, by the pages of one replica. */
async function found(): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({ limit: '100', ...(cursor && { cursor }) });
    const path = `/v1/search/Artist/byName?${query.toString()}`;
    const { body } = (await replicas[1]?.ask(path)) ?? {};
    const page = body as { items: { id: string }[]; cursor?: string };
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.cursor;
  } while (cursor !== undefined);
  return ids;
}

it('a search that is hot only in total over all replicas gets more shards', async () => {
  const both = usesOf([0.5, 0.5]);
  await useUntil(both, 'more shards', async () => (await growths()).length > 0);
  for (const { highest } of both) expect(highest).toBeLessThan(hotFrom);
  const inSecond = { index: 'gsi2', pk: attributePartition(1, 'Artist', 'byName') } as const;
  const rows = async () => (await started.table.count(inSecond)).count;
  await useUntil(both, 'artists in them', async () => (await rows()) > 10);
  expect(await growths()).toEqual([2]);
  expect((await found()).sort()).toEqual(created.sort());
});

import {
  deviceListFamily,
  isKeyOf,
  keyIndexes,
  leftOutKey,
  purgeJobKey,
  shardMapKey,
  tableFamilies,
} from '@engawa/keys';
import {
  birthItem,
  deadLetterDeliveryItem,
  deadLettersSpreadItem,
  parkedBlockItem,
} from '@engawa/model';
import { aReading, askEngine, openBeforeAll } from '@engawa/testing';
import { catalogChangePatterns } from '../costs/catalog-change-patterns.ts';
import { catalogPatterns } from '../costs/catalog-patterns.ts';
import { changePatterns } from '../costs/change-patterns.ts';
import { constraintPatterns } from '../costs/constraint-patterns.ts';
import { correctionPatterns } from '../costs/correction-patterns.ts';
import { groupChangePatterns, groupPatterns } from '../costs/group-patterns.ts';
import { ingestionPatterns } from '../costs/ingestion-patterns.ts';
import { registryPatterns } from '../costs/registry-patterns.ts';
import { rollupPatterns } from '../costs/rollup-patterns.ts';
import { GuardedServices } from '../permissions/guarded-services.ts';
import { otherActions } from '../permissions/other-actions.ts';
import type { KeyFamily, KeyIndex } from '@engawa/keys';

type Item = Record<string, { S?: string }>;

const patterns = [
  ...[registryPatterns, rollupPatterns, catalogPatterns, groupPatterns, ingestionPatterns],
  ...[changePatterns, correctionPatterns, catalogChangePatterns, constraintPatterns],
  groupChangePatterns,
].flat();

/** Items that services write in faults, or for a short time, made by the functions that the services use. */
const rareItems = [
  birthItem({ node: 'plant/line', timestamp: 0, epoch: 0, metrics: [], writtenAt: 0 }),
  birthItem({ node: 'plant/line', device: 'm', timestamp: 0, epoch: 0, metrics: [], writtenAt: 0 }),
  deadLettersSpreadItem(0),
  deadLetterDeliveryItem({ id: '01J00000000000000000000000', receivedAt: 0 }, 'hash'),
  parkedBlockItem('meter', [aReading()], { owner: 'one', parkedAt: 0 }),
  purgeJobKey('ROOM', 'home', 'hall'),
  shardMapKey(deviceListFamily),
  leftOutKey({ type: 'Song', id: 'untitled' }),
];

const services = openBeforeAll(() => GuardedServices.start());
let items: Item[];
beforeAll(async () => {
  for (const { prepare, run } of patterns) {
    await prepare?.(services.metered);
    await run(services.metered);
  }
  for (const run of Object.values(otherActions)) await run(services);
  for (const item of rareItems) await services.table.put({ ...item });
  items = await scan();
});

/** The test's own Scan: the services have none. */
async function scan(): Promise<Item[]> {
  const { endpoint, tableName } = services.started.location;
  const all: Item[] = [];
  let start: unknown;
  do {
    const request = {
      TableName: tableName,
      ...(start !== undefined && { ExclusiveStartKey: start }),
    };
    const { Items, LastEvaluatedKey } = await askEngine(endpoint, 'Scan', request);
    all.push(...(Items as Item[]));
    start = LastEvaluatedKey;
  } while (start !== undefined);
  return all;
}

/** The families of the item's key in an index; undefined where the index does not have the item. */
function familiesOf(item: Item, index: KeyIndex): KeyFamily[] | undefined {
  const prefix = index === 'table' ? '' : index;
  const [pk, sk] = [item[`${prefix}pk`]?.S, item[`${prefix}sk`]?.S];
  if (pk === undefined || sk === undefined) return undefined;
  return tableFamilies.filter((family) => isKeyOf(family, { index, pk, sk }));
}

describe('a table that all services have filled', () => {
  it('has exactly one family for every key of the table and its indexes, with the kind of the item', () => {
    expect(items.length).toBeGreaterThan(1000);
    for (const item of items) {
      const [family] = familiesOf(item, 'table') ?? [];
      for (const index of keyIndexes) {
        const found = familiesOf(item, index);
        if (found === undefined) continue;
        expect([item, index, found.length]).toEqual([item, index, 1]);
        const kinds = family?.kinds ?? [];
        expect([item, found[0]?.kinds]).toEqual([item, expect.arrayContaining([...kinds])]);
      }
    }
  });

  it('has keys of every family', () => {
    const found = new Set(
      items.flatMap((item) =>
        keyIndexes.flatMap((index) => familiesOf(item, index)?.map(({ name }) => name) ?? []),
      ),
    );
    const all = tableFamilies.map(({ name }) => name);
    expect(all.filter((name) => !found.has(name))).toEqual([]);
  });
});

import { openBeforeAll } from '@engawa/testing';
import { startCatalog } from './catalog.ts';
import { declare, ownName, quiet } from './entities.ts';
import { itemsIn, walk } from './list-queries.ts';

const ndjson = 'application/x-ndjson';

interface Exported {
  type: string;
  id: string;
  attributes: Record<string, unknown>;
  relations: Record<string, unknown>;
}

/** Determined by the seed, so that a failure can be repeated. */
function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
  let state = seed;
  const next = () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) / 2 ** 32;
  return items
    .map((item) => [next(), item] as const)
    .toSorted(([left], [right]) => left - right)
    .map(([, item]) => item);
}

describe('an import whose lines are in any order', () => {
  const catalog = openBeforeAll(() => startCatalog(quiet));

  async function declared() {
    const [Player, Club] = [ownName('Player'), ownName('Club')];
    const attributes = [{ name: 'name', kind: 'text' }];
    const since = { name: 'since', kind: 'number', required: true };
    const relations = [
      { name: 'club', to: Club },
      { name: 'next', to: Player },
      { name: 'friends', to: Player, many: true, attributes: [since] },
    ];
    await declare(catalog, { [Club]: { attributes }, [Player]: { attributes, relations } });
    return { Player, Club };
  }

  const send = async (entries: readonly object[], mode = 'keep') => {
    const body = entries.map((entry) => JSON.stringify(entry)).join('\n');
    const path = `/v1/entities?existing=${mode}`;
    const answer = await catalog.ask(path, {
      method: 'POST',
      headers: { 'content-type': ndjson },
      body,
    });
    return answer.body as {
      entities: Record<string, number>;
      failed: number;
      errors: { line: number; message: string }[];
    };
  };
  const stored = async (type: string) =>
    itemsIn(await walk<Exported>(catalog, ['entities', type], { whole: 'true' })).map(
      ({ id, attributes, relations }) => ({ id, attributes, relations }),
    );

  function entitiesOf({ Player, Club }: { Player: string; Club: string }): Exported[] {
    const id = (number: number) => String(number).padStart(3, '0');
    const players = Array.from({ length: 60 }, (_, number) => ({
      type: Player,
      id: id(number),
      attributes: { name: `p${number}` },
      relations: {
        club: String(number % 3),
        // A chain towards later ids, and friends in both directions.
        ...(number < 59 && { next: id(number + 1) }),
        friends: [(number + 59) % 60, (number + 1) % 60]
          .toSorted((left, right) => left - right)
          .map((friend) => ({ id: id(friend), attributes: { since: number } })),
      },
    }));
    const clubs = ['0', '1', '2'].map((id) => ({
      type: Club,
      id,
      attributes: { name: id },
      relations: {},
    }));
    return [...players, ...clubs];
  }

  it.each([1, 2, 3])('stores relations forward and in cycles (seed %i)', async (seed) => {
    const types = await declared();
    const entries = entitiesOf(types);
    const result = await send(shuffled(entries, seed));
    expect(result).toEqual({ entities: { created: 63, existing: 0 }, failed: 0, errors: [] });
    const players = entries.filter(({ type }) => type === types.Player);
    const expected = players.map(({ id, attributes, relations }) => ({
      id,
      attributes,
      relations,
    }));
    expect(await stored(types.Player)).toEqual(expected);
    // Repeated, it changes nothing.
    expect((await send(shuffled(entries, seed + 1), 'replace')).entities).toEqual({
      ...{ created: 0, existing: 0, replaced: 0, unchanged: 63 },
    });
  });

  it('writes a chain of entities that begins with its end', async () => {
    const { Player } = await declared();
    const chain = Array.from({ length: 100 }, (_, number) => ({
      type: Player,
      id: String(number),
      attributes: {},
      relations: number < 99 ? { next: String(number + 1) } : {},
    }));
    expect(await send(chain)).toMatchObject({ failed: 0, errors: [] });
    expect(await stored(Player)).toHaveLength(100);
  });

  it('refuses only entries that lead to nothing, and those that depend on them', async () => {
    const { Player } = await declared();
    const player = (id: string, relations: object) => ({ type: Player, id, relations });
    const friend = (id: string) => ({ id, attributes: { since: 1 } });
    const result = await send([
      player('a', { next: 'b' }),
      player('b', { friends: [friend('a'), friend('b')] }),
      player('c', { next: 'd' }),
      player('d', { next: 'c', friends: [friend('nobody')] }),
      player('e', { next: 'c' }),
      player('f', { next: 'a' }),
    ]);
    expect(result.entities).toEqual({ created: 3, existing: 0 });
    expect(result.errors.map(({ line }) => line)).toEqual([3, 4, 5]);
    expect((await stored(Player)).map(({ id }) => id)).toEqual(['a', 'b', 'f']);
  });
});

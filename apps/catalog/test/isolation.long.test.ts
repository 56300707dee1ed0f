import { collated, compareBytes, id as checkId, KeyError } from '@engawa/keys';
import { announcedSeed, openBeforeAll, until } from '@engawa/testing';
import fc from 'fast-check';
import { startCatalog } from './catalog.ts';
import { declare, make, pathOf, quiet } from './entities.ts';

/** Names with separators and escapes, prefixes of each other, and words of the key grammar and of JavaScript. */
const hostile = ['#', '##', '$', '$S', 'a', 'a#', 'a#b', 'a$b', 'ab', 'a_b', 'A', 'E', 'R', 'E#a'];
const words = ['LIST', 'TYPE', 'MARK', 'FULLTEXT', '0', 'constructor', '__proto__', 'toString'];
const scripts = [
  '居間',
  'ｲﾏ',
  'é',
  'ｅ',
  '\u{1f600}',
  '\ufffd',
  ' ',
  '/',
  '%2F',
  '?',
  '&=',
  '.a',
  '"',
];

const seed = announcedSeed('isolation');
const random = fc.sample(fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }), {
  seed,
  numRuns: 60,
});

/** Normalized like in the service, without invalid names. */
const names = [...new Set([...hostile, ...words, ...scripts].flatMap(asName))];
const randomNames = [...new Set(random.flatMap(asName))].filter((name) => !names.includes(name));

function asName(text: string): string[] {
  try {
    return [checkId('name', text)];
  } catch (error) {
    if (error instanceof KeyError) return [];
    throw error;
  }
}

interface EntityResponse {
  type: string;
  id: string;
  attributes: { text: string; size: number };
  relations: Record<string, string[]>;
}

/** All types have the same relation, search and ranking names, and entities with the same ids. */
const types = ['a', 'a#', '$', 'E', 'constructor', '__proto__', ...randomNames.slice(0, 1)];
const relations = ['#', 'constructor', 'a#b'];
const ids = [...names, ...randomNames.slice(0, 8)];

const targetOf = (type: number, relation: number): string => {
  return types[(type + relation) % types.length] ?? '';
};

describe(`types, relations, searches and ids of any characters (SEED=${seed})`, () => {
  const catalog = openBeforeAll(() => startCatalog({ ...quiet, RATE_LIMIT_PER_MINUTE: '0' }));
  const stored = new Map<string, EntityResponse>();
  const keyOf = (type: string, id: string) => JSON.stringify([type, id]);

  beforeAll(async () => {
    const declared = types.map((type, index) => [type, definition(index)] as const);
    await declare(catalog, Object.fromEntries(declared));
    for (const [index, type] of types.entries()) {
      await Promise.all(
        ids.map((id, number) => store(type, id, { text: id, size: index * 100 + number }, {})),
      );
    }
    for (const [index, type] of types.entries()) {
      await Promise.all(
        ids.map((id, number) =>
          store(type, id, { text: id, size: index * 100 + number }, related(number)),
        ),
      );
    }
  });

  function definition(index: number): object {
    return {
      attributes: [
        { name: 'text', kind: 'text' },
        { name: 'size', kind: 'number' },
      ],
      relations: relations.map((name, relation) => ({
        name,
        to: targetOf(index, relation),
        many: true,
      })),
      searches: [
        { name: 'a', parts: [{ attribute: 'text' }] },
        { name: 'a#b', parts: [{ attribute: 'text', as: 'collated' }] },
        { name: '#', parts: [{ attribute: 'text' }, { attribute: 'size' }] },
      ],
      rankings: [
        { name: '$', attribute: 'size', direction: 'descending' },
        { name: 'constructor', attribute: 'size', direction: 'ascending' },
      ],
    };
  }

  function related(number: number): Record<string, string[]> {
    const at = (offset: number) => ids[(number + offset) % ids.length] ?? '';
    return { '#': [at(1)], constructor: [at(0), at(2)].toSorted(compareBytes), 'a#b': [at(5)] };
  }

  async function store(
    type: string,
    id: string,
    attributes: EntityResponse['attributes'],
    leading: Record<string, string[]>,
  ): Promise<void> {
    await make(catalog, [type, id, { attributes, relations: leading }]);
    stored.set(keyOf(type, id), { type, id, attributes, relations: leading });
  }

  async function itemsAt(path: string): Promise<Record<string, unknown>[]> {
    const { status, body } = await catalog.ask(path);
    expect({ path, status }).toEqual({ path, status: 200 });
    return (body as { items: Record<string, unknown>[] }).items;
  }

  async function idsAt(path: string): Promise<unknown[]> {
    return (await itemsAt(path)).map(({ id }) => id);
  }

  function idsWhere(holds: (entity: EntityResponse) => boolean): string[] {
    return [...stored.values()]
      .filter(holds)
      .map(({ id }) => id)
      .toSorted(compareBytes);
  }

  async function expectEachAlone(): Promise<void> {
    for (const type of types) await Promise.all(ids.map((id) => expectEntity(type, id)));
    for (const type of types) await expectSearches(type);
  }

  async function expectEntity(type: string, id: string): Promise<void> {
    const entity = stored.get(keyOf(type, id));
    const answer = await catalog.ask(pathOf(type, id));
    if (entity === undefined) {
      expect({ type, id, status: answer.status }).toEqual({ type, id, status: 404 });
      return;
    }
    const leading = Object.entries(entity.relations).filter(([, to]) => to.length > 0);
    expect(answer.body).toMatchObject({ type, id, attributes: entity.attributes });
    const shown = (answer.body as { relations: Record<string, string[]> }).relations;
    expect(Object.entries(shown).toSorted()).toEqual(leading.toSorted());
    const [relation, target] = [relations[0] ?? '', targetOf(types.indexOf(type), 0)];
    const path = `${pathOf(type, id)}/related/${encodeURIComponent(target)}`;
    const query = `?direction=backward&relation=${encodeURIComponent(relation)}`;
    // For a relation within a type: the incoming relations.
    expect((await idsAt(path + query)).toSorted()).toEqual(
      idsWhere(
        (other) => other.type === target && other.relations[relation]?.includes(id) === true,
      ).toSorted(),
    );
  }

  async function expectSearches(type: string): Promise<void> {
    const searchAt = (name: string) =>
      `/v1/search/${encodeURIComponent(type)}/${encodeURIComponent(name)}`;
    for (const value of ids) {
      const asked = encodeURIComponent(value);
      const isOfType = (entity: EntityResponse) => entity.type === type;
      const equal = idsWhere((one) => isOfType(one) && one.attributes.text === value);
      expect(await idsAt(`${searchAt('a')}?eq=${asked}`)).toEqual(equal);
      expect(await idsAt(`${searchAt('#')}?eq=${asked}`)).toEqual(equal);
      const begins = idsWhere((one) => isOfType(one) && one.attributes.text.startsWith(value));
      expect(await idsAt(`${searchAt('a')}?prefix=${asked}`)).toEqual(begins);
      const folded = idsWhere(
        (one) => isOfType(one) && collated('', one.attributes.text) === collated('', value),
      );
      expect((await idsAt(`${searchAt('a#b')}?eq=${asked}`)).toSorted()).toEqual(folded.toSorted());
    }
    const bySize = [...stored.values()]
      .filter((entity) => entity.type === type)
      .toSorted((left, right) => left.attributes.size - right.attributes.size)
      .map(({ id }) => id);
    const rankingAt = (name: string) =>
      `/v1/rankings/${encodeURIComponent(type)}/${encodeURIComponent(name)}?limit=1000`;
    expect(await idsAt(rankingAt('constructor'))).toEqual(bySize);
    expect(await idsAt(rankingAt('$'))).toEqual(bySize.toReversed());
    const list = await idsAt(`/v1/entities/${encodeURIComponent(type)}?limit=1000`);
    expect(list.toSorted()).toEqual(bySize.toSorted());
  }

  /** Whether the entity has no relation to a deleted one. */
  async function isDetached({ type, id, relations: wanted }: EntityResponse): Promise<boolean> {
    const { body } = await catalog.ask(pathOf(type, id));
    const shown = (body as { relations: Record<string, string[]> }).relations;
    return Object.values(shown).flat().length === Object.values(wanted).flat().length;
  }

  it('entities with similar names never read or overwrite each other', expectEachAlone, 300_000);

  it('entities with similar names are deleted independently', async () => {
    const removed = [...stored.values()].filter((_, index) => index % 3 === 0);
    for (const { type, id } of removed) {
      const path = `${pathOf(type, id)}?detach=true`;
      expect(await catalog.ask(path, { method: 'DELETE' })).toMatchObject({ status: 204 });
      stored.delete(keyOf(type, id));
    }
    for (const entity of stored.values()) {
      entity.relations = Object.fromEntries(
        Object.entries(entity.relations).map(([name, to]) => {
          const target = targetOf(types.indexOf(entity.type), relations.indexOf(name));
          return [name, to.filter((id) => stored.has(keyOf(target, id)))];
        }),
      );
    }
    // In the background, one entity at a time.
    let detached = 0;
    await until(
      'the relations to deleted entities to be removed',
      async () => {
        detached = 0;
        for (const entity of stored.values()) detached += (await isDetached(entity)) ? 1 : 0;
        return detached === stored.size;
      },
      { progress: () => detached },
    );
    await expectEachAlone();
  });
});

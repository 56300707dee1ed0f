import { openBeforeAll } from '@engawa/testing';
import { startCatalog } from './catalog.ts';
import { declareMusic, make, pathOf, put, quiet } from './entities.ts';
import type { EntityInput } from './entities.ts';

const relations = { artist: '1', featuring: ['1', '2'], covers: ['5'] };

describe('a response that is sent back unchanged', () => {
  const catalog = openBeforeAll(() => startCatalog(quiet));
  let Artist: string;
  let Track: string;
  beforeEach(async () => {
    ({ Artist, Track } = await declareMusic(catalog));
    await make(
      catalog,
      [Artist, '1', { attributes: { name: 'David Bowie' } }],
      [Artist, '2', { attributes: { name: 'Queen' } }],
      [Track, '5', { attributes: { title: 'five' } }],
      [Track, '4', { attributes: { title: 'Heroes', plays: 1 }, relations }],
    );
  });

  const bodyOf = async (path: string, method = 'GET', body?: object) =>
    (await catalog.ask(path, { method, ...(body && { body }) })).body as EntityInput & {
      items: (EntityInput & { entity: EntityInput })[];
    };
  const first = async (list: string) => (await bodyOf(list)).items[0];
  const path = () => pathOf(Track, '4');
  const there = async () => (await bodyOf(path())).relations;

  it.each<[string, () => Promise<EntityInput | undefined>]>([
    ['of an entity', () => bodyOf(path())],
    ['of entities by id', () => first(`/v1/entities/${Track}?id=4`)],
    ['of a list', () => first(`/v1/entities/${Track}`)],
    ['of a search', () => first(`/v1/search/${Track}/byTitle?eq=heroes&whole=true`)],
    ['of a ranking', async () => (await first(`/v1/rankings/${Track}/byPlays?whole=true`))?.entity],
    [
      'of a related entity',
      async () => (await first(`/v1/entities/${Artist}/2/related/${Track}?whole=true`))?.entity,
    ],
    ['of a change', () => bodyOf(path(), 'PATCH', { attributes: { plays: 2 } })],
    ['of a changed relation', () => bodyOf(path(), 'PATCH', { relations: { artist: '1' } })],
    ['of a replacement', () => bodyOf(path(), 'PUT', { attributes: { title: 'H' }, relations })],
  ])('changes nothing, and removes no relation: %s', async (_, ask) => {
    const whole = (await ask()) ?? {};
    const { version } = (await catalog.ask(path())).body as { version: number };
    const unchanged = await put(catalog, [Track, '4'], whole);
    expect(unchanged).toMatchObject({ status: 200, body: { version } });
    const operations = [{ operation: 'put', ...whole }];
    const together = { method: 'POST', body: { operations } };
    expect(await catalog.ask('/v1/transactions', together)).toMatchObject({
      status: 200,
      body: { items: [{ entity: { version } }] },
    });
    const { attributes = {}, relations: given = {} } = whole;
    const body = { attributes: { ...attributes, likes: 7 }, relations: given };
    expect(await put(catalog, [Track, '4'], body)).toMatchObject({ status: 200 });
    expect(await there()).toEqual(relations);
  });

  it('is refused at the path of another entity', async () => {
    const whole = await bodyOf(path());
    for (const [type, id, part] of [
      [Track, '5', 'id'],
      [Artist, '4', 'type'],
    ] as const) {
      const answer = await put(catalog, [type, id], { ...whole });
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: `body.${part}` }] } });
    }
  });

  it('removes relations to many by an empty list, and relations to one by omission', async () => {
    await put(catalog, [Track, '4'], {
      attributes: { title: 'Heroes' },
      relations: { covers: [] },
    });
    expect(await there()).toEqual({ featuring: ['1', '2'] });
  });
});

import { openBeforeAll, until } from '@engawa/testing';
import { applyChanges, checkChanges } from '../src/entities/content/check-changes.ts';
import { maxRelations } from '../src/entities/content/check-content.ts';
import { startCatalog } from './catalog.ts';
import {
  artist,
  declare,
  make,
  makeNamed,
  ownName,
  pathOf,
  put,
  quiet,
  track,
} from './entities.ts';
import type { EntityType } from '@engawa/model';

const ids = Array.from({ length: 130 }, (_, index) => `a${String(index).padStart(3, '0')}`);
const title = { name: 'title', kind: 'text' };
const about = { name: 'about', to: 'Artist', many: true };

describe('an entity of unusual size', () => {
  const limits = { RATE_LIMIT_PER_MINUTE: '0', TYPE_SETTLE_MS: '0' };
  const catalog = openBeforeAll(() => startCatalog({ ...quiet, ...limits }));
  beforeAll(async () => {
    await declare(catalog, { Artist: artist });
    await makeNamed(catalog, 'Artist', ['1', 'gone', ...ids]);
  });

  it('is detached from a deleted entity even if it is unsearchable', async () => {
    const note = { attributes: [title], relations: [about] };
    await declare(catalog, { Note: note });
    const body = { attributes: { title: 'x'.repeat(5000) }, relations: { about: ['gone'] } };
    await make(catalog, ['Note', 'n', body]);
    const searches = [{ name: 'byTitle', parts: [{ attribute: 'title' }] }];
    await declare(catalog, { Note: { ...note, searches } });
    await until('the search to be built', async () => {
      return (await catalog.ask('/v1/search/Note/byTitle?eq=a')).status === 200;
    });
    const path = `${pathOf('Artist', 'gone')}?detach=true`;
    expect(await catalog.ask(path, { method: 'DELETE' })).toMatchObject({ status: 204 });
    await until('all relations to be removed', async () => {
      const answer = await catalog.ask(pathOf('Note', 'n'));
      return Object.keys((answer.body as { relations: object }).relations).length === 0;
    });
  });

  it.each([1, 2, 3, 4])('is returned completely with %d search rows', async (count) => {
    const searches = Array.from({ length: count }, (_, index) => ({
      name: `s${index}`,
      parts: [{ attribute: 'title', as: 'collated' }],
    }));
    const Wide = ownName('Wide');
    await declare(catalog, { [Wide]: { attributes: [title], relations: [about], searches } });
    // A page of a Query ends at 1 MB, before or after the last row.
    const body = { attributes: { title: 'x'.repeat(360_000) }, relations: { about: ['1'] } };
    await make(catalog, [Wide, 'w', body]);
    const answer = await catalog.ask(pathOf(Wide, 'w'));
    expect(answer).toMatchObject({ status: 200, body: { relations: { about: ['1'] } } });
  });

  it('is refused if the marks of a staged write exceed the item size', async () => {
    await declare(catalog, { Text: { attributes: [title], relations: [about] } });
    const attributesOf = (length: number) => ({ attributes: { title: 'x'.repeat(length) } });
    let [fits, tooLong] = [408_000, 410_000];
    while (tooLong - fits > 1) {
      const middle = Math.floor((fits + tooLong) / 2);
      const { status } = await put(catalog, ['Text', 't'], attributesOf(middle));
      if (status < 300) fits = middle;
      else tooLong = middle;
    }
    const body = { relations: { about: ids } };
    const answer = await catalog.ask(pathOf('Text', 't'), { method: 'PATCH', body });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'body' }] } });
  });
});

it('the maximum number of relations applies to the sum of several changes', () => {
  const type = { ...track, name: 'Track' } as unknown as EntityType;
  const counted = (letter: string) =>
    Array.from({ length: maxRelations / 2 + 1 }, (_, index) => `${letter}${index}`);
  const before = { attributes: new Map(), relations: new Map([['featuring', counted('a')]]) };
  const more = { relations: { featuring: { add: counted('b') } } };
  expect(() => applyChanges(before, checkChanges(type, more))).toThrow(/body\.relations/);
});

import { membershipItem } from '@engawa/model';
import fc from 'fast-check';
import { answerQuery } from '../../test/answer-query.ts';
import { readHistory, readMembers } from './read-memberships.ts';
import type { Key } from '@engawa/keys';
import type { Document, Membership } from '@engawa/model';
import type { ItemPage, QueryRequest } from '@engawa/table';

/** Where a device may be: in a room, in no room of a place, or nowhere. */
const locations: (Pick<Membership, 'place' | 'room'> | undefined)[] = [
  { place: 'home', room: 'hall' },
  { place: 'home', room: 'attic' },
  { place: 'home' },
  { place: 'office', room: 'hall' },
  undefined,
];

/** Moves of a device, as registry stores them: a membership of each room, and one of each place as a whole. */
function membershipsOf(device: string, moves: readonly number[], every: number): Membership[] {
  const all: Membership[] = [];
  let [room, whole]: (Membership | undefined)[] = [];
  for (const [index, choice] of moves.entries()) {
    const since = (index + 1) * every;
    const to = locations[choice];
    if (room !== undefined) room.until = since;
    room = undefined;
    if (whole !== undefined && whole.place !== to?.place) {
      whole.until = since;
      whole = undefined;
    }
    if (to?.room !== undefined) all.push((room = { ...to, device, since }));
    if (to !== undefined && whole === undefined) {
      all.push((whole = { place: to.place, device, since }));
    }
  }
  return all;
}

const choices = fc.integer({ min: 0, max: locations.length - 1 });
const movesOfDevice = fc
  .tuple(fc.array(choices, { maxLength: 4 }), fc.array(choices, { minLength: 1, maxLength: 3 }))
  .chain(([start, cycle]) =>
    // Long histories repeat some moves, with as many rows as many pages.
    fc.integer({ min: 0, max: 150 }).map((times) => {
      return [...start, ...Array.from({ length: times }, () => cycle).flat()];
    }),
  )
  .map((moves) => moves.filter((choice, index) => choice !== moves[index - 1]));

const world = fc
  .array(fc.tuple(movesOfDevice, fc.integer({ min: 1, max: 50 })), { minLength: 1, maxLength: 4 })
  .map((devices) =>
    devices.flatMap(([moves, every], index) => membershipsOf(`d${index}`, moves, every)),
  );
const range = fc
  .tuple(fc.integer({ min: 0, max: 12_000 }), fc.integer({ min: 1, max: 3000 }))
  .map(([from, length]) => ({ from, to: from + length }));

/** A table with these memberships, and the number of Queries. */
function tableOf(memberships: readonly Membership[]) {
  const items = memberships.map(
    (membership) => membershipItem(membership) as Record<string, string>,
  );
  const keyed = (pk: string, sk: string) =>
    items
      .map((item) => ({ pk: item[pk] ?? '', sk: item[sk] ?? '', item }))
      .sort((left, right) => (left.sk < right.sk ? -1 : 1));
  const lists = { table: keyed('pk', 'sk'), gsi1: keyed('gsi1pk', 'gsi1sk') };
  const counted = { rows: 0, queries: 0 };
  const query = (request: QueryRequest): Promise<ItemPage> => {
    const list: readonly Key[] = lists[request.index === 'gsi1' ? 'gsi1' : 'table'];
    const page = answerQuery(list, { sk: {}, ...request }, 5000);
    counted.queries += 1;
    counted.rows += page.items.length;
    if (counted.queries > 1000) throw new Error('a read without end');
    return Promise.resolve({ ...page, items: page.items.map(({ item }) => item as Document) });
  };
  return { counted, query };
}

const text = (membership: Membership) => JSON.stringify(Object.entries(membership).sort());
const budget = { charge: () => undefined };

describe('memberships of a range', () => {
  it('of a room or a place include all that overlap it', async () => {
    const place = fc.constantFrom({ place: 'home', room: 'hall' }, { place: 'home' });
    await fc.assert(
      fc.asyncProperty(world, range, place, async (memberships, { from, to }, location) => {
        const { query } = tableOf(memberships);
        const request = { table: { query }, budget, from, to };
        const found = (await readMembers(location, request)).memberships.map(text);
        const expected = memberships.filter(
          ({ place, room, since, until = Infinity }) =>
            place === location.place && room === location.room && since < to && until > from,
        );
        expect(found).toEqual(expect.arrayContaining(expected.map(text)));
      }),
    );
  });

  it('of a device include all that overlap it, and the time after it is known', async () => {
    await fc.assert(
      fc.asyncProperty(world, range, async (memberships, { from, to }) => {
        const { query } = tableOf(memberships);
        const rows = await readHistory('d0', { table: { query }, budget, from, to });
        expect(rows.knownSince).toBeLessThanOrEqual(from);
        const expected = memberships.filter(
          ({ device, since, until = Infinity }) =>
            device === 'd0' && since < to && until > rows.knownSince,
        );
        expect(rows.memberships.map(text)).toEqual(expect.arrayContaining(expected.map(text)));
      }),
    );
  });

  it('take a few pages of 50, however many moves there were', async () => {
    const moves = Array.from({ length: 5000 }, (_, index) => index % 2);
    const memberships = membershipsOf('d0', moves, 10);
    for (const from of [50, 25_000, 49_990]) {
      const { query, counted } = tableOf(memberships);
      const request = { table: { query }, budget, from, to: from + 20 };
      await readMembers({ place: 'home', room: 'hall' }, request);
      await readHistory('d0', request);
      expect(counted.rows).toBeLessThanOrEqual(250);
    }
  });
});

import { randomUUID } from 'node:crypto';
import { openBeforeAll } from '@engawa/testing';
import { allBuckets, hour, minute } from './aggregates.ts';
import { QueryFixture, single } from './query-fixture.ts';

const midnight = Date.parse('2026-10-01T00:00:00Z');
const day = 24 * hour;
const iso = (time: number) => new Date(time).toISOString();
const range = { from: iso(midnight), to: iso(midnight + 6 * hour) };

/** Units that one page may cost. */
describe.each(['1', '1000'])('where a page may cost %s units, fill', (units) => {
  const fixture = openBeforeAll(() => QueryFixture.open({ REQUEST_UNIT_LIMIT: units }));

  /** With values in the second and the fifth hour, and one before. */
  async function device(): Promise<string> {
    const id = randomUUID();
    const readings = [
      { time: midnight - hour, fields: { power: 7 } },
      { time: midnight + 1.5 * hour, fields: { power: 10 } },
      { time: midnight + 4.5 * hour, fields: { power: 40 } },
    ];
    await fixture.place({ id, blocks: single(readings) });
    return id;
  }

  async function ask(id: string, parameters: Record<string, string>) {
    const asked = { ...range, fn: 'avg', fields: 'power', ...parameters };
    const buckets = await allBuckets(fixture, id, asked);
    return buckets.map(({ fields }) => fields['power']?.[asked.fn]);
  }

  it.each([
    ['none', 'avg', [undefined, 10, undefined, undefined, 40, undefined]],
    ['null', 'avg', [null, 10, null, null, 40, null]],
    ['previous', 'avg', [7, 10, 10, 10, 40, 40]],
    ['linear', 'avg', [null, 10, 20, 30, 40, null]],
    ['-0.5', 'avg', [-0.5, 10, -0.5, -0.5, 40, -0.5]],
    ['null', 'count', [0, 1, 0, 0, 1, 0]],
    ['previous', 'increase', [0, 3, 0, 0, 30, 0]],
    ['linear', 'sum', [0, 10, 0, 0, 40, 0]],
  ])('%s of %s is the same on pages of any size', async (fill, fn, expected) => {
    const id = await device();
    for (const limit of ['1', '2', '4', '100']) {
      expect([limit, await ask(id, { fill, fn, limit })]).toEqual([limit, expected]);
    }
  });

  it('fills a field of any name', async () => {
    const asked = { ...range, fn: 'avg', fields: '__proto__,power', fill: 'null' };
    const buckets = await allBuckets(fixture, await device(), asked);
    expect(buckets.map(({ fields }) => Object.keys(fields))).toEqual(
      buckets.map(() => ['__proto__', 'power']),
    );
  });

  it('finds values on distant pages', async () => {
    const id = randomUUID();
    const times = [midnight + hour, midnight + 99.5 * day];
    const readings = times.map((time, index) => ({ time, fields: { power: index * 98 } }));
    await fixture.place({ id, blocks: single(readings) });
    const asked = { to: iso(midnight + 100 * day), every: 'P1D', limit: '40' };
    const days = Array.from({ length: 100 }, (_, index) => index);
    const linear = await ask(id, { ...asked, fill: 'linear' });
    expect(linear).toEqual(days.map((index) => (index * 98) / 99));
    const previous = await ask(id, { ...asked, fill: 'previous' });
    expect(previous).toEqual(days.map((index) => (index === 99 ? 98 : 0)));
  });

  it('of a group uses values of that group', async () => {
    const place = randomUUID();
    const [one, other] = [await device(), randomUUID()];
    const late = { time: midnight + 5 * hour, fields: { power: 1 } };
    await fixture.place({ id: other, blocks: [[late]] });
    for (const id of [one, other])
      await fixture.settle({ place, device: id, since: midnight - 30 * minute });
    const asked = { ...range, fn: 'avg', fields: 'power', fill: 'previous', groupBy: 'device' };
    for (const limit of ['1', '3', '100']) {
      const buckets = await allBuckets(fixture, `/v1/places/${place}/aggregates`, {
        ...asked,
        limit,
      });
      const of = (id: string) =>
        buckets
          .filter((bucket) => (bucket as { device?: string }).device === id)
          .map(({ fields }) => fields['power']?.['avg']);
      expect([limit, of(one)]).toEqual([limit, [null, 10, 10, 10, 40, 40]]);
      expect([limit, of(other)]).toEqual([limit, [null, null, null, null, null, 1]]);
    }
  });

  it('of previous finds the last value before the range, however old it is', async () => {
    const id = randomUUID();
    const values = [-300 * day, -300 * day + hour / 2, 4.5 * hour];
    const readings = values.map((time, index) => ({
      time: midnight + time,
      fields: { power: 10 + index * 2 },
    }));
    await fixture.place({ id, blocks: single(readings) });
    const place = randomUUID();
    await fixture.settle({ place, device: id, since: 0 });
    for (const owner of [id, `/v1/places/${place}/aggregates`]) {
      for (const limit of ['1', '4', '100']) {
        const asked = { fill: 'previous', limit };
        expect([limit, await ask(owner, { ...asked, fn: 'avg' })]).toEqual([
          limit,
          [11, 11, 11, 11, 14, 14],
        ]);
        expect([limit, await ask(owner, { ...asked, fn: 'last' })]).toEqual([
          limit,
          [12, 12, 12, 12, 14, 14],
        ]);
      }
    }
  });

  it('of previous continues the last value, not a mean of it', async () => {
    const id = randomUUID();
    const times = [-26 * hour, -25 * hour, 4.5 * hour];
    const readings = times.map((time, index) => ({
      time: midnight + time,
      fields: { power: index * 40 },
    }));
    await fixture.place({ id, blocks: single(readings) });
    for (const limit of ['1', '4', '100']) {
      const asked = { fill: 'previous', limit, fn: 'timeWeightedMean' };
      expect([limit, await ask(id, asked)]).toEqual([limit, [40, 40, 40, 40, 80, 80]]);
      const nulls = await ask(id, { ...asked, fill: 'null' });
      expect([limit, nulls]).toEqual([limit, [null, null, null, null, 80, 80]]);
    }
  });

  it.each([
    ['fill=previous', 'query.fields'],
    ['fill=last&fields=power', 'query.fill'],
  ])('rejects %s by name', async (parameters, path) => {
    const { status, body } = await fixture.ask(`/v1/devices/x/aggregates?${parameters}`);
    expect([status, body]).toMatchObject([400, { errors: [{ path }] }]);
  });
});

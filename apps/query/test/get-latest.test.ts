import { rollupKey } from '@engawa/keys';
import { parseExactJson } from '@engawa/model';
import { aReading, openBeforeAll } from '@engawa/testing';
import { packed, QueryFixture, single } from './query-fixture.ts';
import type { Fields, Reading } from '@engawa/model';
import type { LatestPage } from './query-fixture.ts';

const start = Date.UTC(2026, 10, 20, 9);
const expiredTtl = Math.floor(Date.now() / 1000) - 3600;
const iso = (time: number) => new Date(time).toISOString();
const everySecond = (count: number, from = start): Reading[] =>
  Array.from({ length: count }, (_, index) =>
    aReading({ time: from + index * 1000, fields: { index } }),
  );
const shown = (readings: Reading[]) =>
  readings.map(({ time, fields }) => ({ time: iso(time), fields }));

describe('GET /v1/devices/{id}/latest', () => {
  const query = openBeforeAll(() => QueryFixture.open());

  it('gives the device and its newest reading', async () => {
    const device = { name: '居間', kind: 'climate' as const, lastSeenAt: start };
    await query.place({ id: '居間-1', device, blocks: single(everySecond(3)) });
    const answer = await query.ask(`/v1/devices/${encodeURIComponent('居間-1')}/latest`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      device: {
        id: '居間-1',
        name: '居間',
        kind: 'climate',
        status: 'active',
        lastSeenAt: iso(start),
      },
      readings: [{ time: iso(start + 2000), fields: { index: 2 } }],
    });
  });

  it.each(['single', 'packed'])('returns the newest of %s readings for one Query', async (how) => {
    const id = `latest ${how}`;
    const readings = everySecond(300);
    await query.place({ id, blocks: how === 'single' ? single(readings) : packed(readings) });
    for (const limit of [1, 7, 100, 1000]) {
      const requests = await query.requestsOf('Query', async () => {
        const { body } = await query.ask(`/v1/devices/${id}/latest?limit=${limit}`);
        expect(body).toMatchObject({ readings: shown(readings.toReversed().slice(0, limit)) });
      });
      expect(requests).toBe(1);
    }
  });

  it('does not read rollups, which follow the oldest block', async () => {
    const readings = everySecond(2);
    await query.place({ id: 'old', blocks: single(readings) });
    for (const hour of [0, 1, 2]) await query.put(rollupKey('old', 'PT1H', hour * 3_600_000));
    const requests = await query.requestsOf('Query', async () => {
      const { body } = await query.ask('/v1/devices/old/latest?limit=3');
      expect(body).toMatchObject({ readings: shown(readings.toReversed()) });
    });
    expect(requests).toBe(1);
  });

  it('returns readings of one moment in the order of receipt for every limit', async () => {
    const moment = [3, 1, 2].map((index) => aReading({ time: start, fields: { index } }));
    await query.place({
      id: 'at once',
      blocks: single([...everySecond(2, start - 9000), ...moment]),
    });
    for (const limit of [1, 2, 3, 4, 5]) {
      const { body } = await query.ask(`/v1/devices/at once/latest?limit=${limit}`);
      const indexes = (body as LatestPage['items'][0]).readings.map(
        ({ fields }) => fields['index'],
      );
      expect(indexes).toEqual([2, 1, 3, 1, 0].slice(0, limit));
    }
  });

  it.each([1, 2])('removes duplicates of a redelivery, for 2 Queries: %d', async (limit) => {
    const readings = everySecond(4);
    await query.place({ id: 'redelivered', blocks: [readings, ...single(readings.slice(1))] });
    const requests = await query.requestsOf('Query', async () => {
      const { body } = await query.ask(`/v1/devices/redelivered/latest?limit=${limit}`);
      expect(body).toMatchObject({ readings: shown(readings.toReversed().slice(0, limit)) });
    });
    expect(requests).toBe(2);
  });

  it('omits expired readings', async () => {
    const now = Math.floor(Date.now() / 1000);
    const [old, kept, gone] = [
      everySecond(2),
      everySecond(2, start + 5000),
      everySecond(20, start + 9000),
    ];
    await query.place({ id: 'expired', blocks: single(old) });
    await query.place({ id: 'expired', blocks: single(kept), ttl: now + 3600 });
    await query.place({ id: 'expired', blocks: [...single(gone), gone], ttl: now - 3600 });
    const { body } = await query.ask('/v1/devices/expired/latest?limit=3');
    expect(body).toMatchObject({
      readings: shown([...old, ...kept].toReversed().slice(0, 3)),
    });
  });

  it('keeps all digits', async () => {
    const fields = '{"small":0.1,"total":12345678901234567890.123,"tiny":-1.5e-100}';
    await query.place({
      id: 'meter-1',
      blocks: [[aReading({ fields: parseExactJson(fields) as Fields })]],
    });
    const { text } = await query.ask('/v1/devices/meter-1/latest');
    expect(text).toContain('"total":12345678901234567890.123');
    expect(text).toContain('"tiny":-1.5e-100');
    expect(text).toContain('"small":0.1');
  });

  it('shows fields of any name and kind', async () => {
    const fields = { pk: 1, constructor: 'x', ttl: true, 温度: 21.5, absent: null, toJSON: 'y' };
    await query.place({ id: 'odd', blocks: [[aReading({ fields })]] });
    const { body } = await query.ask('/v1/devices/odd/latest');
    expect(body).toMatchObject({ readings: [{ fields }] });
  });

  it('returns a device without readings', async () => {
    await query.place({ id: 'silent' });
    const { body } = await query.ask('/v1/devices/silent/latest?limit=10');
    expect(body).toMatchObject({ device: { id: 'silent' }, readings: [] });
  });

  it.each([
    ['/v1/devices/nobody/latest', 404, { detail: 'There is no device "nobody".' }],
    ['/v1/devices/x/latest?limit=0', 400, fault('query.limit', 'must be at least 1')],
    ['/v1/devices/x/latest?limit=1001', 400, fault('query.limit', 'must be at most 1000')],
    ['/v1/devices/x/latest?limit=1&limit=2', 400, fault('query.limit')],
    ['/v1/devices/x/latest?form=1', 400, fault('query.form')],
    [`/v1/devices/${'x'.repeat(200)}/latest`, 400, fault('path.id')],
  ])('answers %s with %d and a problem', async (path, status, problem) => {
    const answer = await query.ask(path);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ status, ...problem });
  });
});

function fault(path: string, message?: string): object {
  return { errors: [{ path, ...(message !== undefined && { message }) }] };
}

describe('where expired blocks use up the budget, the latest', () => {
  const query = openBeforeAll(() => QueryFixture.open({ REQUEST_UNIT_LIMIT: '1' }));
  beforeAll(async () => {
    await query.place({ id: 'long expired', blocks: single(everySecond(3)) });
    const gone = single(everySecond(120, start + 10_000));
    await query.place({ id: 'long expired', blocks: gone, ttl: expiredTtl });
    await query.settle({ place: 'home', device: 'long expired', since: 0 });
  });

  it('is marked incomplete', async () => {
    const { body } = await query.ask('/v1/devices/long expired/latest');
    expect(body).toMatchObject({ readings: [], incomplete: true });
    for (const path of ['/v1/latest?device=long expired', '/v1/places/home/latest']) {
      const answer = await query.ask(path);
      expect(answer.body).toMatchObject({ items: [{ readings: [], incomplete: true }] });
    }
  });

  it('is not marked incomplete where there are no more blocks', async () => {
    await query.place({ id: 'silent' });
    const { body } = await query.ask('/v1/devices/silent/latest');
    expect(body).not.toHaveProperty('incomplete');
  });
});

import { aReading, openBeforeAll } from '@engawa/testing';
import { packed, QueryFixture } from './query-fixture.ts';
import type { Reading } from '@engawa/model';

const hour = 3_600_000;
const day = 24 * hour;
const start = Math.floor(Date.now() / day) * day - 2 * day;
const iso = (time: number) => new Date(time).toISOString();
const range = `from=${iso(start)}&to=${iso(start + day)}`;
const readings: Reading[] = Array.from({ length: 48 }, (_, index) =>
  aReading({ time: start + (index * hour) / 2, fields: { level: index } }),
);

/** Every route that returns readings, with its response for a device. */
const questions = [
  '/v1/devices/new/latest?limit=100',
  '/v1/latest?device=new&readings=100',
  `/v1/devices/new/readings?${range}`,
  `/v1/devices/new/aggregates?${range}&every=P1D&fn=sum,count,increase`,
  `/v1/devices/new/fields?from=${start}`,
  `/v1/places/home/fields?from=${start}`,
  '/v1/rooms/home/hall/latest?readings=100',
  `/v1/rooms/home/hall/readings?${range}`,
  `/v1/rooms/home/hall/aggregates?${range}&every=PT1H&fn=sum`,
  '/v1/places/home/latest?readings=100',
  `/v1/places/home/readings?${range}`,
  `/v1/places/home/aggregates?${range}&every=P1D&fn=sum,count`,
];

describe('a pending device', () => {
  const query = openBeforeAll(() => QueryFixture.open({}, () => time));
  let time = 0;
  const place = (status: 'active' | 'pending') =>
    query.place({ id: 'new', device: { status }, blocks: packed(readings) });
  const texts = async () => {
    const answers = [];
    for (const question of questions) answers.push((await query.ask(question)).text);
    return answers;
  };
  beforeAll(async () => {
    await query.settle({ place: 'home', room: 'hall', device: 'new', since: start });
    await place('pending');
  });

  it('has no visible readings until it is approved', async () => {
    for (const [index, text] of (await texts()).entries()) {
      expect([questions[index], text]).toEqual([
        questions[index],
        expect.not.stringMatching(/level/),
      ]);
    }
    expect((await query.ask('/v1/devices/new/latest')).body).toMatchObject({
      device: { id: 'new', status: 'pending' },
      readings: [],
    });
    await place('active');
    time += 5001;
    const approved = await texts();
    for (const [index, text] of approved.entries()) {
      expect([questions[index], text]).toEqual([questions[index], expect.stringMatching(/level/)]);
    }
    const { body } = await query.ask(`/v1/devices/new/aggregates?${range}&every=P1D&fn=sum,count`);
    expect(body).toMatchObject({ items: [{ fields: { level: { sum: 1128, count: 48 } } }] });
  });

  it('costs one GetItem in 5 seconds', async () => {
    time += 5001;
    const ask = () => query.ask(`/v1/places/home/aggregates?${range}&every=P1D&fn=sum`);
    const requests = await query.requestsOf('GetItem', async () => {
      await ask();
      await ask();
    });
    expect(requests).toBe(1);
  });
});

import { deviceKey } from '@engawa/keys';
import { openBeforeAll, until } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';

interface DeadLetterResponse {
  id: string;
  topic: string;
  reason: string;
  detail: string;
  indexes?: number[];
}

const fixture = openBeforeAll(() => IngestionFixture.open());
beforeAll(() => fixture.start({ RETENTION_DAYS: '30,meter=90,contact=0' }));

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const refusedAs = (kind: string, days: number) => ({
  reason: 'expired',
  detailCode: { code: 'reading-expired', values: { kind, max: days } },
});

async function letterOf(device: string): Promise<DeadLetterResponse | undefined> {
  const { body } = await fixture.ask('/v1/deadLetters?limit=1000');
  const { items } = body as { items: DeadLetterResponse[] };
  return items.find(({ topic }) => topic === `engawa/${device}/readings`);
}

describe('a reading older than the retention', () => {
  it('is refused over HTTP, by the kind of its device', async () => {
    const send = (device: string, ...readings: object[]) =>
      fixture.post(`/v1/readings?device=${device}`, JSON.stringify(readings));
    const climate = await send('c', { ts: daysAgo(60), co2: 1 }, { ts: daysAgo(29), co2: 2 });
    expect(climate.body).toMatchObject({
      stored: 1,
      refusedCount: 1,
      refused: [{ index: 0, ...refusedAs('climate', 30) }],
    });
    const meter = [
      { ts: daysAgo(60), power: 1 },
      { ts: daysAgo(91), power: 2 },
    ];
    expect((await send('m', ...meter)).body).toMatchObject({
      stored: 1,
      refused: [{ index: 1, ...refusedAs('meter', 90) }],
    });
    expect((await send('door', { ts: daysAgo(900), contact: 'open' })).body).toMatchObject({
      stored: 1,
      refusedCount: 0,
    });
    const devices = await Promise.all(['c', 'm', 'door'].map((one) => fixture.readingsOf(one)));
    expect(devices.map((readings) => readings.length)).toEqual([1, 1, 1]);
  });

  it('becomes a dead letter over MQTT; the other readings of the message are stored', async () => {
    const readings = [
      { ts: daysAgo(60), co2: 1 },
      { co2: 2 },
      { ts: daysAgo(31), co2: 3, x: 1e99 },
    ];
    const payload = JSON.stringify(readings).replace('1e+99', '1e999');
    await fixture.publish('engawa/mixed/readings', payload);
    await until('the dead letter', async () => (await letterOf('mixed')) !== undefined);
    const { id, ...letter } = (await letterOf('mixed')) ?? { id: '' };
    expect(letter).toMatchObject({ ...refusedAs('climate', 30), indexes: [0, 2] });
    expect(letter).not.toHaveProperty('leftOut');
    expect(await fixture.readingsOf('mixed')).toHaveLength(1);
    const preview = await fixture.ask(`/v1/deadLetters/${id}/preview`);
    expect(preview.body).toMatchObject({ outcome: 'refused', reason: 'expired', stored: 0 });
    const replayed = await fixture.post(`/v1/deadLetters/${id}/replay`);
    expect(replayed.body).toMatchObject({ stored: 0, refusedCount: 2 });
  });

  it('is kept for longer if it is sent again after the retention has been extended', async () => {
    const days = 86_400_000;
    const time = Date.now() - 29 * days;
    const expiry = async () => {
      const items = await fixture.items('DEVICE#again');
      return Math.max(...items.map(({ ttl }) => Number(ttl ?? 0)));
    };
    const send = () =>
      fixture.post('/v1/readings', JSON.stringify({ device: 'again', ts: time, x: 1 }));
    await send();
    expect(await expiry()).toBe(Math.ceil((time + 30 * days) / 1000));
    await fixture.service?.close();
    await fixture.start({ RETENTION_DAYS: '400' });
    await send();
    expect(await expiry()).toBe(Math.ceil((time + 400 * days) / 1000));
    expect(await fixture.readingsOf('again')).toHaveLength(1);
  });

  it('is refused by the kind that a user has set', async () => {
    await fixture.post('/v1/readings', '{"device":"named","x":1}');
    const key = deviceKey('named');
    await fixture.table.update(key, { set: { kind: 'meter', kindNamed: true } });
    await fixture.service?.close();
    await fixture.start({ RETENTION_DAYS: '30,meter=90' });
    const body = JSON.stringify({ device: 'named', ts: daysAgo(60), co2: 1 });
    expect((await fixture.post('/v1/readings', body)).body).toMatchObject({ stored: 1 });
  });
});

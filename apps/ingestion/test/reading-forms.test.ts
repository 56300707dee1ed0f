import { openBeforeEach } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';

const fixture = openBeforeEach(() => IngestionFixture.open());

const time = new Date(Date.now() - 60_000).toISOString();
const at = Date.parse(time);

/** The stored form of a reading received over MQTT, and over HTTP. */
async function storedOf(reading: object): Promise<unknown[]> {
  await fixture.start();
  await fixture.publish('engawa/mqtt/readings', JSON.stringify(reading));
  await fixture.settled(1);
  await fixture.post('/v1/readings', JSON.stringify({ device: 'http', ...reading }));
  await fixture.post('/v1/readings?device=named', JSON.stringify(reading));
  const devices = ['mqtt', 'http', 'named'];
  return Promise.all(devices.map((device) => fixture.readingsOf(device)));
}

describe('a reading in the native format', () => {
  it.each([
    ['ts', { ts: time, x: 1 }, { x: 1 }],
    ['time', { time, x: 1 }, { x: 1 }],
    ['timestamp', { timestamp: at, x: 1 }, { x: 1 }],
    ['time rather than timestamp', { timestamp: 'noon', time, x: 1 }, { timestamp: 'noon', x: 1 }],
    [
      'ts rather than time',
      { time: 12, timestamp: null, ts: at, x: 1 },
      { time: 12, timestamp: null, x: 1 },
    ],
    [
      'time, with fields',
      { time, fields: { x: 1, ts: 5, 'a.b': null } },
      { x: 1, ts: 5, 'a.b': null },
    ],
    ['ts, with a field called fields', { ts: time, fields: { x: 1 } }, { 'fields.x': 1 }],
    [
      'time, with fields and another key',
      { time, fields: { x: 1 }, y: 2 },
      { 'fields.x': 1, y: 2 },
    ],
  ])('has its time in %s', async (_, reading, fields) => {
    const stored = [{ time: at, fields }];
    expect(await storedOf(reading)).toEqual([stored, stored, stored]);
  });

  it.each([
    [{ time: 12.5, x: 1 }, 'time is too long ago: 1970-01-01T00:00:12.500Z'],
    [{ time: 'noon', x: 1 }, 'time must be ISO-8601 with an offset'],
    [{ timestamp: null, x: 1 }, 'timestamp must be ISO-8601 with an offset'],
    [{ time: 'noon', fields: { x: 1 } }, 'time must be ISO-8601 with an offset'],
    [{ time: 'noon', timestamp: time, x: 1 }, 'time must be ISO-8601 with an offset'],
  ])('is refused as %j', async (reading, detail) => {
    await fixture.start();
    const text = JSON.stringify(reading);
    const answer = await fixture.post('/v1/readings?device=d', text);
    expect(answer.body).toMatchObject({
      stored: 0,
      refused: [{ reason: 'bad_time', detail: expect.stringContaining(detail) as string }],
    });
    await fixture.publish('engawa/d/readings', text);
    await fixture.settled(1);
    const deadLetters = await fixture.ask('/v1/deadLetters');
    expect(deadLetters.body).toMatchObject({ items: [{ reason: 'bad_time' }] });
    expect(await fixture.readingsOf('d')).toEqual([]);
  });
});

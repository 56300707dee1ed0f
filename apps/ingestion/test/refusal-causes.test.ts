import { gzipSync } from 'node:zlib';
import { openBeforeAll, until } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';

interface DeadLetterResponse {
  topic: string;
  reason: string;
  detail: string;
}

const fixture = openBeforeAll(() => IngestionFixture.open());
beforeAll(() => fixture.start({ DECODERS: 'native,tasmota=own/#' }));

async function letterOf(topic: string, payload: string | Buffer): Promise<DeadLetterResponse> {
  await fixture.publish(topic, payload);
  const find = async () => {
    const { body } = await fixture.ask('/v1/deadLetters?limit=1000');
    return (body as { items: DeadLetterResponse[] }).items.find((each) => each.topic === topic);
  };
  await until(`the dead letter of ${topic}`, async () => (await find()) !== undefined);
  return (await find()) ?? { topic, reason: '', detail: '' };
}

const json = '{"temperature":21.5}';
const utf16 = Buffer.from(json, 'utf16le');
const offset = 'needs an offset, such as Z or +09:00';

describe('a dead letter names the cause', () => {
  it.each<[string, string | Buffer, string, string]>([
    ['gzip', gzipSync(json), 'malformed', 'the payload is compressed with gzip'],
    ['nul', `${json}\0`, 'malformed', 'the payload ends with a NUL'],
    ['utf16', utf16, 'malformed', 'the payload is UTF-16'],
    ['utf16-be', Buffer.from(utf16).swap16(), 'malformed', 'the payload is UTF-16'],
    ['utf16-bom', Buffer.from(`\ufeff${json}`, 'utf16le'), 'malformed', 'the payload is UTF-16'],
    ['utf16-be-bom', Buffer.from(`\ufeff${json}`, 'utf16le').swap16(), 'malformed', 'is UTF-16'],
    ['number', '21.5', 'malformed', 'is a single number, not an object'],
    ['text', '"on"', 'malformed', 'is a single string, not an object'],
    ['null', 'null', 'malformed', 'is null, not an object'],
    ['element', '[{"x":1},[5]]', 'malformed', 'is a list, not an object'],
    ['epoch', '{"ts":"1795817114671","v":1}', 'bad_time', 'ts is an epoch in a text'],
    [
      'local',
      '{"ts":"2026-11-27T18:42:29","v":1}',
      'bad_time',
      `ts is a local time, which ${offset}`,
    ],
    ['space', '{"time":"2026-11-27 18:42:29","v":1}', 'bad_time', 'time is a local time'],
    ['other', '{"ts":"yesterday","v":1}', 'bad_time', 'ts must be ISO-8601'],
  ])('of %s', async (device, payload, reason, detail) => {
    const letter = await letterOf(`engawa/${device}/readings`, payload);
    expect(letter).toMatchObject({ reason, detail: expect.stringContaining(detail) as string });
  });

  it('of a compressed payload for other decoders', async () => {
    const letter = await letterOf('own/tele/zipped/SENSOR', gzipSync(json));
    expect(letter.detail).toContain('gzip');
    const single = await letterOf('own/tele/single/SENSOR', '21.5');
    expect(single.detail).toContain('the payload is not an object with fields');
  });
});

describe('a clock time without a date', () => {
  it.each([
    ['clock', '{"time":"18:42","v":1}', { time: '18:42', v: 1 }],
    ['seconds', '{"timestamp":"8:42:29","v":1}', { timestamp: '8:42:29', v: 1 }],
    ['unset', '{"time":"","v":1}', { time: '', v: 1 }],
  ])('is a field: %s', async (device, payload, fields) => {
    const before = Date.now();
    await fixture.publish(`engawa/${device}/readings`, payload);
    await until('the reading', async () => (await fixture.readingsOf(device)).length === 1);
    const [reading] = await fixture.readingsOf(device);
    expect(reading?.fields).toEqual(fields);
    expect(reading?.time).toBeGreaterThanOrEqual(before);
  });

  it('is not the time of a reading that has another', async () => {
    const body = JSON.stringify({ device: 'both', time: '18:42', timestamp: Date.now() - 5000 });
    const answer = await fixture.post('/v1/readings', body);
    expect(answer.body).toMatchObject({ stored: 1, refusedCount: 0 });
    const [reading] = await fixture.readingsOf('both');
    expect(reading?.fields).toEqual({ time: '18:42' });
    expect(reading?.time).toBeLessThan(Date.now() - 4000);
  });
});

it('over HTTP the refusal names a reading that is no object', async () => {
  const { body } = await fixture.post('/v1/readings', '5\n{"x":1}', 'application/x-ndjson');
  expect(body).toMatchObject({
    refused: [
      { index: 0, reason: 'malformed', detail: 'the reading is a single number, not an object' },
      { index: 1, reason: 'bad_device' },
    ],
  });
});

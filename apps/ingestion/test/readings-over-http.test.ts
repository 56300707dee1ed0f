import { gzipSync } from 'node:zlib';
import { openBeforeEach } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';

const fixture = openBeforeEach(() => IngestionFixture.open());

const ndjson = 'application/x-ndjson';
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const lines = (...values: unknown[]) => values.map((value) => JSON.stringify(value)).join('\n');
const nothingRefused = { refusedCount: 0, refused: [] };

describe('POST /v1/readings', () => {
  it('stores one reading with all digits, and registers its device', async () => {
    await fixture.start({ LINGER_MS: '60000' });
    const ts = ago(1);
    const total = '12345678901234567890.123456789012345678';
    const text = `{"device":"居間-1","ts":"${ts}","temperature":21.40,"total":${total}}`;
    const answer = await fixture.post('/v1/readings', text);
    expect(answer).toMatchObject({ status: 202, body: { stored: 1, ...nothingRefused } });
    const [reading, ...others] = await fixture.readingsOf('居間-1');
    expect(others).toEqual([]);
    expect(reading?.time).toBe(Date.parse(ts));
    expect(JSON.stringify(reading?.fields)).toBe(`{"temperature":21.4,"total":${total}}`);
  });

  it('is the only input of a replica with MQTT_SUBSCRIBE=off: it never connects to the broker', async () => {
    await fixture.start({ MQTT_SUBSCRIBE: 'off', MQTT_URL: 'mqtt://127.0.0.1:1' });
    const answer = await fixture.post('/v1/readings', '{"device":"a","x":1}');
    expect(answer).toMatchObject({ status: 202, body: { stored: 1, ...nothingRefused } });
    expect(await fixture.readingsOf('a')).toHaveLength(1);
    const metrics = (await fixture.service?.context.registry.metrics()) ?? '';
    // A gauge of 0 would raise the alert for a missing connection to the broker.
    expect(metrics).toContain('engawa_ingest_http_readings_total');
    expect(metrics).not.toContain('engawa_mqtt_connected');
  });

  it('stores an array at once, each reading with its device, and packs readings of a device together', async () => {
    await fixture.start({ LINGER_MS: '60000' });
    const readings = [5, 4, 3, 2].flatMap((minutes) =>
      ['a', 'b'].map((device) => ({ device, ts: ago(minutes), power: minutes })),
    );
    const answer = await fixture.post('/v1/readings', JSON.stringify(readings, undefined, 2));
    expect(answer).toMatchObject({ status: 202, body: { stored: 8 } });
    expect(await fixture.readingsOf('a')).toHaveLength(4);
    expect(await fixture.readingsOf('b')).toHaveLength(4);
    expect(await fixture.metric('engawa_ingest_blocks_total')).toBe(2);
    expect(await fixture.metric('engawa_ingest_http_readings_total', { outcome: 'stored' })).toBe(
      8,
    );
    expect(await fixture.metric('engawa_ingest_messages_total')).toBe(0);
  });

  it('takes NDJSON, and the native format of one device', async () => {
    await fixture.start();
    const text = `${lines({ ts: ago(2), device: 'inner', x: 1 }, { ts: ago(1), x: 2 })}\r\n\r\n`;
    const answer = await fixture.post('/v1/readings?device=outer', text, ndjson);
    expect(answer).toMatchObject({ status: 202, body: { stored: 2, ...nothingRefused } });
    expect((await fixture.readingsOf('outer')).map(({ fields }) => fields)).toEqual([
      { device: 'inner', x: 1 },
      { x: 2 },
    ]);
  });

  it('gives a reading without a time the time of its receipt', async () => {
    await fixture.start();
    const before = Date.now();
    await fixture.post('/v1/readings', '{"device":"a","x":1}');
    const [reading] = await fixture.readingsOf('a');
    expect(reading?.time).toBeGreaterThanOrEqual(before);
    expect(reading?.time).toBeLessThanOrEqual(Date.now());
  });

  it('stores valid readings and reports the refused ones, which are not kept', async () => {
    await fixture.start();
    const texts = [
      `{"device":"a","ts":"${ago(1)}","x":1}`,
      'no JSON',
      '',
      '{"device":"a","ts":"yesterday","x":1}',
      '{"x":1}',
      '{"device":"","x":1}',
      '{"device":"a"}',
      '5',
      'null',
      '[{"device":"a","x":1}]',
      '{"device":"a","x":123456789012345678901234567890123456789}',
      `{"device":"a","x":"${'x'.repeat(1_100_000)}"}`,
      '{"device":"a","x":"\\ud800"}',
    ];
    const answer = await fixture.post('/v1/readings', texts.join('\n'), ndjson);
    const { refused, ...counts } = answer.body as { refused: { index: number; reason: string }[] };
    expect(answer.status).toBe(202);
    expect(counts).toEqual({ stored: 1, refusedCount: 11, leftOutCount: 0, leftOut: [] });
    expect(refused.map(({ index, reason }) => [index, reason])).toEqual([
      [1, 'malformed'],
      [3, 'bad_time'],
      [4, 'bad_device'],
      [5, 'bad_device'],
      [6, 'bad_field'],
      [7, 'malformed'],
      [8, 'malformed'],
      [9, 'malformed'],
      [10, 'bad_number'],
      [11, 'too_large'],
      [12, 'bad_field'],
    ]);
    const deadLetters = await fixture.ask('/v1/deadLetters');
    expect(deadLetters.body).toEqual({ items: [] });
  });

  it('responds with 202 when all readings are refused, and names a thousand of them', async () => {
    await fixture.start({ DEVICE_ADMISSION: 'closed' });
    const text = lines(...Array.from({ length: 1500 }, () => ({ device: 'stranger', x: 1 })));
    const answer = await fixture.post('/v1/readings', text, ndjson);
    const { refused } = answer.body as { refused: unknown[] };
    expect(answer.body).toMatchObject({ stored: 0, refusedCount: 1500 });
    expect(refused).toHaveLength(1000);
    expect(refused[0]).toEqual({
      index: 0,
      reason: 'not_admitted',
      detail: 'the device is not registered',
      detailCode: { code: 'device-not-registered', values: {} },
    });
  });

  it('sent again changes nothing', async () => {
    await fixture.start();
    const text = JSON.stringify([1, 2, 3].map((x) => ({ device: 'a', ts: ago(x), x })));
    for (let time = 0; time < 3; time++) await fixture.post('/v1/readings', text);
    expect(await fixture.readingsOf('a')).toHaveLength(3);
  });

  it('accepts an empty array, and no lines at all', async () => {
    await fixture.start();
    const none = { status: 202, body: { stored: 0, ...nothingRefused } };
    expect(await fixture.post('/v1/readings', ' [ ] ')).toMatchObject(none);
    expect(await fixture.post('/v1/readings', '\n\n', ndjson)).toMatchObject(none);
  });

  it('accepts a compressed body', async () => {
    await fixture.start();
    const answer = await fixture.ask('/v1/readings', {
      method: 'POST',
      headers: { 'content-type': ndjson, 'content-encoding': 'gzip' },
      body: gzipSync(lines({ device: 'a', x: 1 })),
    });
    expect(answer).toMatchObject({ status: 202, body: { stored: 1 } });
  });

  it('accepts ten thousand readings in chunks', async () => {
    await fixture.start();
    const start = Date.now() - 10_000 * 1000;
    const line = (index: number) =>
      `{"device":"d${index % 20}","ts":${start + index * 1000},"power":${index}}\n`;
    const text = Array.from({ length: 10_000 }, (_, index) => line(index)).join('');
    const answer = await fixture.post('/v1/readings', text, ndjson);
    expect(answer).toMatchObject({ status: 202, body: { stored: 10_000, ...nothingRefused } });
    expect(await fixture.readingsOf('d7')).toHaveLength(500);
  });
});

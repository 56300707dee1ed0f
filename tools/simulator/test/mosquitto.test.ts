import { describeWithMosquitto, startMosquitto } from '@engawa/testing';
import type { Mosquitto } from '@engawa/testing';
import { publishBackfill } from '../src/index.ts';
import { oneHour } from '../src/physics/clock.ts';

describeWithMosquitto('with Mosquitto', () => {
  let broker: Mosquitto;
  beforeAll(async () => {
    const settings = ['allow_anonymous true', 'max_inflight_messages 5'];
    broker = await startMosquitto({ settings });
  });
  afterAll(() => broker.close());

  it.each(['3.1.1', '5'] as const)('backfills over MQTT %s on one connection', async (version) => {
    const from = Date.parse('2025-01-20T06:00:00+09:00');
    let taken = 0;
    const lines: string[] = [];
    const result = await publishBackfill({
      url: broker.url,
      version,
      from,
      to: from + oneHour,
      bundleMinutes: 1,
      onAcknowledged: () => (taken += 1),
      print: (line) => lines.push(line),
    });
    expect(result.messages).toBeGreaterThan(600);
    expect(taken).toBe(result.messages);
    expect(lines.filter((line) => line.startsWith('connected'))).toEqual([
      `connected to ${broker.url}`,
    ]);
  });
});

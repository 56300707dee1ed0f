import { openBeforeEach } from '@engawa/testing';
import { devices, publishBackfill, Simulation, topicOf } from '../src/index.ts';
import { oneHour } from '../src/physics/clock.ts';
import { startBroker } from './broker.ts';

// Soon after the meters were installed: they add up all days since then.
const from = Date.parse('2025-01-20T06:00:00+09:00');
const to = from + 6 * oneHour;

const broker = openBeforeEach(startBroker);

it('publishes every reading in order, and reports each acknowledged message', async () => {
  const taken: { topic: string; payload: string }[] = [];
  const result = await publishBackfill({
    url: broker.url,
    version: '3.1.1',
    from,
    to,
    window: 7,
    onAcknowledged: ({ topic, payload }) => taken.push({ topic, payload }),
  });
  expect(broker.received).toEqual(taken);
  expect(result.messages).toBe(taken.length);
  const simulation = new Simulation();
  for (const device of devices) {
    const readings = simulation.readingsBetween(device, from, to);
    const arrived = broker.received
      .filter(({ topic }) => topic === topicOf(device.id))
      .flatMap(({ payload }) => JSON.parse(payload) as unknown);
    expect(arrived).toMatchObject(readings.map(({ fields }) => fields));
    expect(arrived).toHaveLength(readings.length);
  }
});

it('sends the same bytes when it is repeated', async () => {
  const options = { url: broker.url, version: '3.1.1', from, to } as const;
  await publishBackfill(options);
  const first = broker.received.splice(0);
  await publishBackfill(options);
  expect(first.length).toBeGreaterThan(100);
  expect(broker.received).toEqual(first);
});

it('ends when its signal aborts, also with unacknowledged messages', async () => {
  const hanging = await startBroker({ hold: true });
  const stop = new AbortController();
  const taken = publishBackfill({
    url: hanging.url,
    version: '3.1.1',
    from,
    to,
    window: 5,
    signal: stop.signal,
    print: (line) => {
      if (line.startsWith('backfill 0 %')) stop.abort();
    },
  });
  await expect(taken).rejects.toThrow('aborted').finally(hanging.close);
});

import { openBeforeEach, until } from '@engawa/testing';
import { LiveFixture } from './live-fixture.ts';
import type { LiveClient } from './live-client.ts';

const fixture = openBeforeEach(() => LiveFixture.open());
beforeEach(async () => {
  // A client has at most two thirds of them.
  await fixture.start({ MAX_LIVE_LISTENERS: '1500' });
});

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const metric = (name: string) => fixture.ingestion.metric(`engawa_ingest_live_${name}`);

describe('a listener that does not read', () => {
  const note = 'x'.repeat(30_000);

  it('loses the oldest readings, is told how many, and gets the newest in order', async () => {
    const [slow, fast] = [await fixture.listen('?device=a'), await fixture.listen('?device=a')];
    slow.pause();
    let sent = 0;
    // The socket buffers of both sides take some megabytes, and the ring eight more.
    while (sent < 800) {
      await fixture.upload(
        'a',
        numbers(20).map((more) => ({ x: sent + more, note })),
      );
      sent += 20;
      await fast.received(sent);
      expect(await metric('buffered_bytes')).toBeLessThan(10_000_000);
    }
    slow.resume();
    const counts = () => slow.losses.reduce((sum, { count = NaN }) => sum + count, 0);
    await until('all of it', () => slow.numbers.at(-1) === sent - 1, {
      progress: () => slow.readings.length,
    });
    expect(fast.numbers).toEqual(numbers(sent));
    expect(counts()).toBeGreaterThan(0);
    expect(slow.readings.length + counts()).toBe(sent);
    expect(slow.numbers).toEqual(slow.numbers.toSorted((a, b) => Number(a) - Number(b)));
    expect(await metric('lost_events_total')).toBe(counts());
    // The loss is reported where the readings are missing.
    const at = slow.events.findIndex(({ event }) => event === 'lost');
    const [before, after] = [slow.events[at - 1], slow.events[at + 1]];
    const number = (event = before) => (event?.data as { fields: { x: number } }).fields.x;
    expect(number(after) - number(before) - 1).toBe(slow.losses[0]?.count);
  });
});

describe('a thousand listeners', () => {
  const count = 1000;
  /** Of these, the ones that listen to all devices. */
  const ofAll = 20;

  it('each get their readings, and share the memory for events when none of them reads', async () => {
    const clients: LiveClient[] = [];
    for (const index of numbers(count)) {
      clients.push(await fixture.listen(index < ofAll ? '' : `?device=d${index}`));
    }
    expect(await metric('listeners')).toBe(count);
    const one = numbers(count).map((x) => ({ device: `d${x}`, x }));
    await fixture.ingestion.post('/v1/readings', JSON.stringify(one));
    const expected = (index: number) => (index < ofAll ? count : 1);
    await until('the readings', () =>
      clients.every(({ readings }, index) => readings.length === expected(index)),
    );
    expect(clients.slice(ofAll).flatMap((client) => client.numbers)).toEqual(
      numbers(count).slice(ofAll),
    );
    for (const client of clients) client.pause();
    const before = await metric('events_total');
    const [first, note] = [`d${ofAll}`, 'x'.repeat(30_000)];
    for (let round = 0; round < 20; round++) {
      await fixture.upload(
        first,
        numbers(20).map((x) => ({ x, note })),
      );
      // The ring, and per socket at most Node's mark of 64 KiB and one event above it.
      const limit = 8 * 1024 * 1024 + (ofAll + 1) * (65_536 + 31_000);
      expect(await metric('buffered_bytes')).toBeLessThan(limit);
    }
    expect(await metric('events_total')).toBeGreaterThan(before);
  });
});

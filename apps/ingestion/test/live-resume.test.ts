import { openBeforeEach, until } from '@engawa/testing';
import { LiveFixture } from './live-fixture.ts';
import type { LiveClient } from './live-client.ts';

const fixture = openBeforeEach(() => LiveFixture.open());
beforeEach(() => fixture.start());

const readings = (...values: number[]) => values.map((x) => ({ x }));
const listeners = () => fixture.ingestion.metric('engawa_ingest_live_listeners');

async function leave(client: LiveClient): Promise<string> {
  const before = await listeners();
  client.close();
  await until('its end', async () => (await listeners()) < before);
  return client.lastId;
}

const resume = (id: string, query = '') => fixture.listen(query, { 'last-event-id': id });

describe('a stream that is resumed with Last-Event-ID', () => {
  it('begins with the readings that were stored meanwhile, with and without other listeners', async () => {
    const first = await fixture.listen('?device=a');
    await fixture.upload('a', readings(0, 1));
    await first.received(2);
    const id = await leave(first);
    await fixture.upload('a', readings(2, 3));
    await fixture.upload('b', readings(4));
    const second = await resume(id, '?device=a');
    await second.received(2);
    await fixture.upload('a', readings(5));
    await second.received(3);
    expect(second.numbers).toEqual([2, 3, 5]);
    expect(second.losses).toEqual([]);
    const [, middle] = second.events;
    const third = await resume(middle?.id ?? '', '?device=a');
    await third.received(1);
    expect([third.numbers, third.losses]).toEqual([[5], []]);
  });

  it('resumes from its opening if it has received nothing, with and without other listeners', async () => {
    for (const device of ['a', 'b']) {
      const first = await fixture.listen(`?device=${device}`);
      await until('an id', () => first.lastId !== '');
      if (device === 'b') await fixture.listen('?device=b');
      const id = await leave(first);
      await fixture.upload(device, readings(0, 1));
      const second = await resume(id, `?device=${device}`);
      await second.received(2);
      expect(second.events.map(({ event }) => event)).toEqual(['reading', 'reading']);
    }
  });

  it('reports a loss once: what follows it has an id at once', async () => {
    const first = await resume('000000000000:1', '?device=a');
    await until('the loss, and an id', () => first.losses.length > 0 && first.lastId !== '');
    const id = await leave(first);
    await fixture.upload('a', readings(0));
    const second = await resume(id, '?device=a');
    await second.received(1);
    expect([second.numbers, second.losses]).toEqual([[0], []]);
  });

  it('that received nothing, of a process that has ended, continues with a loss', async () => {
    const first = await fixture.listen('?device=a');
    await until('an id', () => first.lastId !== '');
    await fixture.ingestion.service?.close();
    await until('the end', () => first.isEnded);
    await fixture.start();
    const second = await resume(first.lastId, '?device=a');
    await until('the loss', () => second.losses.length > 0);
    expect(second.losses).toEqual([{}]);
  });

  it('says that readings may be missing if another filter or process, or nothing, recorded them', async () => {
    const first = await fixture.listen('?device=a');
    await fixture.upload('a', readings(0));
    await first.received(1);
    const id = first.lastId;
    await fixture.upload('b', readings(1));
    const [process = ''] = id.split(':');
    for (const [last, query] of [
      [id, '?device=b'],
      [id, ''],
      [`${process}:999999`, '?device=a'],
      ['000000000000:1', '?device=a'],
      ['x', '?device=a'],
    ] as const) {
      const other = await resume(last, query);
      await until('the loss', () => other.losses.length > 0);
      expect(other.events).toEqual([{ event: 'lost', data: {} }]);
    }
  });

  it('of a process that has ended continues at another with a loss of unknown size', async () => {
    const first = await fixture.listen();
    await fixture.upload('a', readings(0));
    await first.received(1);
    await fixture.ingestion.service?.close();
    await until('the end', () => first.isEnded);
    await fixture.start();
    const second = await resume(first.lastId);
    await fixture.upload('a', readings(1));
    await second.received(1);
    expect(second.events.map(({ event }) => event)).toEqual(['lost', 'reading']);
  });
});

import { aReading, openBeforeAll, until } from '@engawa/testing';
import { QueryFixture, single } from './query-fixture.ts';

const start = Date.UTC(2026, 10, 20, 9);
const reading = (index: number) => aReading({ time: start + index * 1000, fields: { index } });

/** So little that a few requests a second are too many for one key. */
const environment = { PARTITION_READ_LIMIT: '4' };
/** Milliseconds that an answer is shared. */
const sharedForMs = 1000;

describe('the latest of a device', () => {
  let time = 0;
  const query = openBeforeAll(() => QueryFixture.open(environment, () => time));

  const newest = async (id: string): Promise<unknown> => {
    const { body } = await query.ask(`/v1/devices/${id}/latest`);
    return (body as { readings: { fields: { index: number } }[] }).readings[0]?.fields.index;
  };
  const queriesOf = (asking: () => Promise<unknown>) => query.requestsOf('Query', asking);
  const hotKeys = async () => {
    const { body } = await query.ask('/v1/hot-partitions?hot=true');
    const { partitions } = body as { partitions: { partition: string; unit: string }[] };
    return partitions.map(({ partition, unit }) => `${unit} ${partition}`);
  };
  const rush = (id: string) => Promise.all(Array.from({ length: 150 }, () => newest(id)));

  it('that is hot comes from a Query of the last second, and any other from its own', async () => {
    await query.place({ id: 'calm', blocks: single([reading(0)]) });
    await query.place({ id: 'hot', blocks: single([reading(0)]) });
    await query.place({ id: 'never', blocks: single([reading(0)]) });
    await until('the key to be hot', async () => {
      await rush('hot');
      return (await hotKeys()).includes('read DEVICE#hot');
    });
    // Heat is by the real clock: on a machine that stood still meanwhile the key has cooled and must be heated again.
    await until('its answers to be shared', async () => (await queriesOf(() => rush('hot'))) === 0);
    time += sharedForMs;
    expect(await queriesOf(() => rush('hot'))).toBe(1);

    // A new reading of the hot device is visible a second later, of other devices at once.
    await query.place({ id: 'hot', blocks: single([reading(1)]) });
    expect(await newest('hot')).toBe(0);
    time += sharedForMs;
    expect(await newest('hot')).toBe(1);
    for (let index = 1; index <= 3; index += 1) {
      await query.place({ id: 'calm', blocks: single([reading(index)]) });
      expect(await queriesOf(async () => expect(await newest('calm')).toBe(index))).toBe(1);
    }
  });

  it('is the same in a request for several devices', async () => {
    const both = '/v1/latest?device=hot&device=never';
    const { body } = await query.ask(both);
    expect(body).toMatchObject({
      items: [{ device: { id: 'hot' } }, { device: { id: 'never' } }],
    });
    const queries = await queriesOf(() =>
      Promise.all(Array.from({ length: 4 }, () => query.ask(both))),
    );
    expect(queries).toBe(4); // for the other one; that of the hot one is shared
  });
});

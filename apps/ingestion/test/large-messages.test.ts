import { setImmediate as turn } from 'node:timers/promises';
import { openBeforeEach } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';

const fixture = openBeforeEach(() => IngestionFixture.open());

const messagesDone = async (count: number) =>
  (await fixture.metric('engawa_ingest_messages_total')) >= count;

describe('one large message', () => {
  it('of 20,000 readings without a time is stored, and a later one is durable before it', async () => {
    await fixture.start();
    await fixture.publish('engawa/large/readings', '{"t":-1}');
    await fixture.publish('engawa/small/readings', '[{"t":-1}]');
    await fixture.settled(2);
    const start = Date.now();
    const values = Array.from({ length: 20_000 }, (_, t) => `{"t":${t}}`);
    const large = fixture.publish('engawa/large/readings', `[${values.join()}]`);
    const small = fixture.publish('engawa/small/readings', `[{"t":1}]`);
    while (!(await messagesDone(3))) await turn();
    // Together they would be about 250 blocks, which the small one had to wait for.
    expect(await fixture.metric('engawa_ingest_blocks_total')).toBeLessThan(100);
    await Promise.all([large, small]);
    await fixture.settled(4);
    expect(await fixture.readingsOf('small')).toHaveLength(2);
    const stored = (await fixture.readingsOf('large')).filter(({ time }) => time >= start);
    expect(stored).toHaveLength(20_000);
    expect(new Set(stored.map(({ fields }) => fields['t'])).size).toBe(20_000);
  });

  it('of 130,000 numbers is stored whole, with the number of refused readings', async () => {
    await fixture.start();
    const payload = `[${'1,'.repeat(129_999)}1]`;
    await fixture.publish('engawa/numbers/readings', payload);
    await fixture.settled(1);
    const { body } = await fixture.ask('/v1/deadLetters');
    const [deadLetter] = (body as { items: { reason: string; detail: string; bytes: number }[] })
      .items;
    expect(deadLetter).toMatchObject({ reason: 'malformed', bytes: payload.length });
    expect(deadLetter?.detail).toContain('(and 129999 more)');
  });

  it('that needs more memory than one message may have is stored whole without being parsed', async () => {
    await fixture.start();
    const payload = `[${'{"t":1},'.repeat(400_000)}{"t":1}]`;
    await fixture.publish('engawa/huge/readings', payload);
    await fixture.settled(1);
    const { body } = await fixture.ask('/v1/deadLetters');
    expect(body).toMatchObject({ items: [{ reason: 'too_large', bytes: payload.length }] });
    expect(await fixture.readingsOf('huge')).toEqual([]);
  });
});

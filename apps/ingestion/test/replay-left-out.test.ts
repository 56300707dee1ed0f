import { openBeforeAll, until } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';
import type { Document } from '@engawa/model';

interface DeadLetterResponse {
  id: string;
  topic: string;
  receivedAt: string;
}

const fixture = openBeforeAll(() => IngestionFixture.open());
beforeAll(() => fixture.start());

const letters = async () =>
  ((await fixture.ask('/v1/deadLetters?limit=1000')).body as { items: DeadLetterResponse[] }).items;
const replay = async (id: string) => (await fixture.post(`/v1/deadLetters/${id}/replay`)).body;
const day = () => new Date().toISOString().slice(0, 10);

async function keep(
  device: string,
  payload: string,
  topic = `engawa/${device}/readings`,
): Promise<DeadLetterResponse> {
  await fixture.publish(topic, payload);
  const ofTopic = async () => (await letters()).find((letter) => letter.topic === topic);
  await until(`the dead letter of ${device}`, async () => (await ofTopic()) !== undefined);
  const letter = await ofTopic();
  if (letter === undefined) throw new Error('no dead letter');
  return letter;
}

/** A fixed decoder, or a fixed limit, reads other values from the same message: so does another payload. */
async function fix(id: string, payload: string): Promise<void> {
  const item = await itemOf(id);
  const bytes = Buffer.from(payload);
  await fixture.table.put({ ...item, payload: bytes, bytes: bytes.length });
}

async function itemOf(id: string): Promise<Document> {
  const item = (await fixture.items(`DLQ#${day()}#0`)).find((each) => each['id'] === id);
  if (item === undefined) throw new Error('no item');
  return item;
}

async function storedOf(device: string) {
  const readings = await fixture.readingsOf(device);
  const byFields = (a: object, b: object) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
  return readings.map(({ time, fields }) => ({ time, fields })).toSorted(byFields);
}

describe('a replay of a meter whose earlier values were stored before', () => {
  it('is about the value that was refused', async () => {
    const topic = 'nature/meter/smart_meter';
    const earlier = { name: 'a', epc: 1, val: '5', updated_at: '2026-11-19T22:30:00Z' };
    const message = (val: string, updated_at: string) =>
      JSON.stringify({
        echonetlite_properties: [earlier, { name: 'power', epc: 231, val, updated_at }],
      });
    await fixture.publish(topic, message('100', '2026-11-19T23:30:00Z'));
    const { id } = await keep('meter', message('2147483647', '2026-11-19T23:31:00Z'), topic);
    expect(await replay(id)).toMatchObject({ stored: 0, refusedCount: 1 });
    await fix(id, message('101', '2026-11-19T23:31:00Z'));
    expect(await replay(id)).toMatchObject({ stored: 1, refusedCount: 0 });
    const stored = (await storedOf('meter')).map(({ fields }) => fields);
    expect(stored).toEqual([{ a: 5 }, { power: 100 }, { power: 101 }]);
  });
});

describe('a replay of a dead letter with left-out values', () => {
  it('adds only those once they are fit, as a reading of the same time', async () => {
    const { id, receivedAt } = await keep('a', '{"t":21.5,"x":1e200,"y":-1e200}');
    const time = Date.parse(receivedAt);
    const before = [{ time, fields: { t: 21.5 } }];
    expect(await replay(id)).toMatchObject({ stored: 0, refusedCount: 0, leftOutCount: 2 });
    expect(await storedOf('a')).toEqual(before);
    await fix(id, '{"t":21.5,"x":5,"y":-1e200}');
    expect(await replay(id)).toMatchObject({ stored: 1, leftOut: [{ index: 0, field: '"y"' }] });
    await fix(id, '{"t":21.5,"x":5,"y":-6}');
    expect(await replay(id)).toMatchObject({ stored: 1, leftOutCount: 0 });
    const added = [{ x: 5 }, { y: -6 }].map((fields) => ({ time, fields }));
    expect(await storedOf('a')).toEqual([...before, ...added]);
    expect((await letters()).map((letter) => letter.id)).not.toContain(id);
  });

  it('adds a value that has another name after the fix, and loses none', async () => {
    const ts = Date.now() - 60_000;
    const { id } = await keep('b', `{"ts":${ts},"t":21.5,"":7}`);
    await fix(id, `{"ts":${ts},"t":21.5,"unnamed":7}`);
    const { body } = await fixture.ask(`/v1/deadLetters/${id}/preview`);
    expect(body).toMatchObject({
      outcome: 'stored',
      readings: [{ time: new Date(ts).toISOString(), fields: { unnamed: 7 } }],
    });
    await replay(id);
    expect(await storedOf('b')).toEqual(
      [{ t: 21.5 }, { unnamed: 7 }].map((fields) => ({ time: ts, fields })),
    );
  });

  it('deletes the dead letter if the value is no longer one', async () => {
    const { id } = await keep('c', '{"t":21.5,"x":1e200}');
    await fix(id, '{"t":21.5}');
    expect(await replay(id)).toMatchObject({ stored: 0, refusedCount: 0, leftOutCount: 0 });
    expect(await storedOf('c')).toHaveLength(1);
    expect((await letters()).map((letter) => letter.id)).not.toContain(id);
  });

  it('knows the stored fields after a replay that could not decode the message', async () => {
    const good = '{"t":21.5,"x":1}';
    const { id } = await keep('d', '[{"t":20,"x":2},{"t":21.5,"x":1e200}]');
    await fix(id, 'no JSON');
    expect(await replay(id)).toMatchObject({ stored: 0, refusedCount: 1 });
    await fix(id, `[{"t":20,"x":2},${good}]`);
    expect(await replay(id)).toMatchObject({ refusedCount: 0, leftOutCount: 0 });
    const stored = (await storedOf('d')).map(({ fields }) => fields);
    expect(stored).toEqual([{ t: 20, x: 2 }, { t: 21.5 }, { x: 1 }]);
  });

  it('with more readings than are named stores no value twice', async () => {
    const bad = Array.from({ length: 1500 }, (_, t) => `{"t":${t},"x":1e200}`);
    const { id } = await keep('e', `[${bad.join(',')}]`);
    expect(await storedOf('e')).toHaveLength(1000);
    const item = await itemOf(id);
    expect(item).not.toHaveProperty('indexes');
    expect(item['partlyStored']).toMatchObject([{ fields: ['t'] }]);
    await fix(id, `[${bad.join(',').replaceAll('1e200', '3')}]`);
    await replay(id);
    const stored = (await storedOf('e')).map(({ fields }) => fields);
    const wholes = stored.filter((fields) => 't' in fields && 'x' in fields);
    expect(new Set(stored.flatMap((fields) => ('t' in fields ? [fields['t']] : []))).size).toBe(
      1500,
    );
    expect(stored.filter((fields) => 't' in fields)).toHaveLength(1500);
    expect(wholes).toHaveLength(500);
  });
});

import { openBeforeEach } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';

interface DeadLetterResponse {
  id: string;
  reason: string;
  receivedAt: string;
}

const fixture = openBeforeEach(() => IngestionFixture.open());

const today = () => new Date().toISOString().slice(0, 10);
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const items = () => fixture.items(`DLQ#${today()}#0`);
const notFound = { status: 404, body: { type: '/problems/dead-letter-not-found' } };
const missing = '01J00000000000000000000000';

async function list(): Promise<DeadLetterResponse[]> {
  return ((await fixture.ask('/v1/deadLetters')).body as { items: DeadLetterResponse[] }).items;
}

/** As many dead letters as there are payloads, each from a separate message. */
async function keep(...payloads: string[]): Promise<DeadLetterResponse[]> {
  const before = await fixture.metric('engawa_ingest_messages_total');
  for (const payload of payloads) await fixture.publish('engawa/t/readings', payload);
  await fixture.settled(before + payloads.length);
  return list();
}

/** Closes admission, so that messages of `stranger` become dead letters. */
async function keepStrangers(...payloads: string[]): Promise<DeadLetterResponse[]> {
  await fixture.start({ DEVICE_ADMISSION: 'closed' });
  for (const payload of payloads) await fixture.publish('engawa/stranger/readings', payload);
  await fixture.settled(payloads.length);
  const deadLetters = await list();
  expect(deadLetters.map(({ reason }) => reason)).toEqual(payloads.map(() => 'not_admitted'));
  return deadLetters;
}

/** Makes the dead letters of the stranger valid. */
async function openAdmission(): Promise<void> {
  await fixture.service?.close();
  await fixture.start();
}

const withoutField = {
  reason: 'bad_field',
  detail: 'the reading has no field',
  detailCode: { code: 'reading-without-field', values: {} },
};

describe('a dead letter that is replayed', () => {
  /** Sent again as the service asks where a busy machine stores too slowly. */
  const replay = async (id: string): ReturnType<typeof fixture.post> => {
    const answer = await fixture.post(`/v1/deadLetters/${id}/replay`);
    return answer.status === 503 ? replay(id) : answer;
  };

  it('is stored and deleted once its cause is fixed, with the times of its receipt', async () => {
    const [deadLetter] = await keepStrangers(`[{"x":1},{"ts":"${ago(5)}","x":2}]`);
    const { id = '', receivedAt = '' } = deadLetter ?? {};
    await openAdmission();
    const answer = await replay(id);
    expect(answer).toMatchObject({ status: 200, body: { stored: 2, refused: [] } });
    const readings = await fixture.readingsOf('stranger');
    expect(readings.map(({ time }) => time)).toContain(Date.parse(receivedAt));
    expect(readings).toHaveLength(2);
    expect(await items()).toEqual([]);
    expect(await replay(id)).toMatchObject(notFound);
    const ended = await fixture.metric('engawa_ingest_dead_letters_ended_total', { by: 'replay' });
    expect(ended).toBe(1);
    expect(await fixture.metric('engawa_ingest_messages_total')).toBe(0);
  });

  it('remains the same dead letter, of its day, with the current reason', async () => {
    const [deadLetter] = await keepStrangers(`[{"ts":"${ago(5)}","x":2},{},{"x":3}]`);
    const { id = '' } = deadLetter ?? {};
    await fixture.post('/v1/readings', '{"device":"known","x":1}');
    expect(await replay(id)).toMatchObject({ body: { stored: 0, refusedCount: 3 } });
    expect(await fixture.metric('engawa_ingest_dead_letters_total')).toBe(1);
    await openAdmission();
    for (let time = 0; time < 2; time++) {
      const answer = await replay(id);
      const refused = [{ index: 1, ...withoutField }];
      expect(answer.body).toEqual({
        ...{ stored: time === 0 ? 2 : 0, refusedCount: 1, refused },
        ...{ leftOutCount: 0, leftOut: [] },
      });
    }
    expect(await items()).toHaveLength(1);
    const [stayed] = await list();
    expect(stayed).toMatchObject({ id, reason: 'bad_field', indexes: [1] });
    expect(await fixture.metric('engawa_ingest_dead_letters_total')).toBe(0);
    expect(await fixture.readingsOf('stranger')).toHaveLength(2);
  });

  it('of an earlier day remains on that day', async () => {
    await fixture.start();
    await keep('no JSON');
    const [item = {}] = await items();
    const receivedAt = Date.now() - 3 * 86_400_000;
    const day = new Date(receivedAt).toISOString().slice(0, 10);
    const id = idOfDay(day);
    await fixture.table.put({ ...item, id, receivedAt, pk: `DLQ#${day}#0`, sk: id });
    expect(await replay(id)).toMatchObject({ body: { refusedCount: 1 } });
    expect(await fixture.items(`DLQ#${day}#0`)).toHaveLength(1);
    expect(await items()).toHaveLength(1);
  });

  it('with all of its parts', async () => {
    const note = 'x'.repeat(500);
    const many = Array.from({ length: 1000 }, (_, index) => ({ ts: ago(index), note, x: index }));
    const [deadLetter] = await keepStrangers(JSON.stringify(many));
    expect(await items()).toHaveLength(3);
    await openAdmission();
    const { status } = await replay(deadLetter?.id ?? '');
    // Not found: a request that took too long went on, and ended it before it was sent again.
    expect([200, 404]).toContain(status);
    expect(await items()).toEqual([]);
    expect(await fixture.readingsOf('stranger')).toHaveLength(1000);
  });
});

describe('many dead letters', () => {
  const replayMany = (body: object) => fixture.post('/v1/deadLetters/replay', JSON.stringify(body));
  const discardMany = (body: object) =>
    fixture.post('/v1/deadLetters/discard', JSON.stringify(body));

  it('of a day and a reason are replayed; dead letters that fail again remain', async () => {
    const good = [1, 2, 3].map((minutes) => `{"ts":"${ago(minutes)}","x":1}`);
    await keepStrangers(...good, `[{"ts":"${ago(4)}","x":1},{}]`);
    await keep('no JSON');
    await openAdmission();
    const { body } = await replayMany({ day: today(), reason: 'not_admitted' });
    const [left] = (await list()).filter(({ reason }) => reason === 'bad_field');
    expect(body).toMatchObject({ replayed: 3, stored: 4, missing: 0 });
    expect((body as { stayed: unknown[] }).stayed).toEqual([
      { id: left?.id, index: 1, ...withoutField },
    ]);
    expect(body).not.toHaveProperty('cursor');
    expect(await items()).toHaveLength(2);
  });

  it('are discarded by day, by topic, or by their ids', async () => {
    await fixture.start();
    const [first, second] = await keep('1x', '2x', '3x', '4x');
    await fixture.publish('engawa/u/readings', 'no JSON');
    await fixture.settled(5);
    const ids = [first?.id, second?.id.toLowerCase(), missing];
    expect((await discardMany({ ids })).body).toEqual({ discarded: 2, missing: 1 });
    const topic = 'engawa/u/readings';
    expect((await discardMany({ day: today(), topic })).body).toEqual({ discarded: 1, missing: 0 });
    expect((await discardMany({ day: today() })).body).toEqual({ discarded: 2, missing: 0 });
    expect(await items()).toEqual([]);
  });

  it('are processed a thousand at a time', async () => {
    await fixture.start();
    const [item = {}] = await keep('no JSON').then(items);
    const ids = Array.from({ length: 1100 }, (_, index) => idOfDay(today(), index));
    const writer = fixture.table.batchWriter();
    await Promise.all(ids.map((id) => writer.put({ ...item, id, sk: id })));
    writer.close();
    const discarded: number[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await discardMany({ day: today(), ...(cursor && { cursor }) });
      const answer = body as { discarded: number; missing: number; cursor?: string };
      expect(answer.missing).toBe(0);
      discarded.push(answer.discarded);
      ({ cursor } = answer);
    } while (cursor !== undefined);
    // Fewer at a time with a table so slow that a request would reach its deadline.
    expect(discarded.length).toBeGreaterThan(1);
    expect(discarded.reduce((sum, count) => sum + count)).toBe(1101);
    expect(await items()).toEqual([]);
  });

  it('are refused if the selection is ambiguous', async () => {
    await fixture.start();
    const bodies = [
      {},
      { day: 'today' },
      { ids: [] },
      { ids: ['x'] },
      { day: today(), ids: [missing] },
      { ids: [missing], reason: 'malformed' },
      { day: today(), reason: 'other' },
      { day: today(), force: true },
      { ids: Array.from({ length: 1001 }, () => missing) },
    ];
    for (const body of bodies) {
      expect(await discardMany(body)).toMatchObject({ status: 400 });
      expect(await replayMany(body)).toMatchObject({ status: 400 });
    }
  });
});

/** A ULID of that day. */
function idOfDay(day: string, number = 0): string {
  const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  let time = Date.parse(day);
  let text = '';
  for (let digit = 0; digit < 10; digit++) {
    text = (alphabet[time % 32] ?? '') + text;
    time = Math.floor(time / 32);
  }
  return text + String(number).padStart(16, '0');
}

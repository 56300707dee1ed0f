import { openBeforeEach } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';

interface DeadLetterResponse {
  id: string;
  reason: string;
  text?: string;
  base64: string;
}
interface DeadLetterPage {
  items: DeadLetterResponse[];
  cursor?: string;
}

const fixture = openBeforeEach(() => IngestionFixture.open());

const today = () => new Date().toISOString().slice(0, 10);
const items = () => fixture.items(`DLQ#${today()}#0`);
const notFound = { status: 404, body: { type: '/problems/dead-letter-not-found' } };
const missing = '01J00000000000000000000000';

async function list(query = ''): Promise<DeadLetterPage> {
  const answer = await fixture.ask(`/v1/deadLetters${query}`);
  expect(answer.status).toBe(200);
  return answer.body as DeadLetterPage;
}

/** As many dead letters as there are payloads, each from a separate message. */
async function keep(...payloads: (string | Buffer)[]): Promise<DeadLetterResponse[]> {
  const before = await fixture.metric('engawa_ingest_messages_total');
  for (const payload of payloads) await fixture.publish('engawa/t/readings', payload);
  await fixture.settled(before + payloads.length);
  return (await list()).items;
}

async function keepOne(payload: string | Buffer): Promise<DeadLetterResponse> {
  const [deadLetter] = await keep(payload);
  if (deadLetter === undefined) throw new Error('no dead letter was written');
  return deadLetter;
}

describe('the dead letters of a day', () => {
  it('are listed with everything except their payload', async () => {
    await fixture.start();
    const payload = `[{"x":1},{"ts":"<script>\u2028"}]`;
    const deadLetter = await keepOne(payload);
    expect(deadLetter).toEqual({
      id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/) as unknown,
      reason: 'bad_field',
      detail: 'reading 1: the reading has no field',
      detailCode: { code: 'reading-without-field', values: { index: 1 } },
      topic: 'engawa/t/readings',
      receivedAt: expect.stringContaining(today()) as unknown,
      bytes: Buffer.byteLength(payload),
      indexes: [1],
      properties: {},
    });
    expect(await list('?day=2020-02-29')).toEqual({ items: [] });
  });

  it('are listed page by page, each once, including large ones', async () => {
    await fixture.start();
    const large = Buffer.alloc(300_000, 'x');
    await keep('1x', large, '2x', '3x', '4x');
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list(`?limit=2${cursor === undefined ? '' : `&cursor=${cursor}`}`);
      expect(page.items.length).toBeLessThanOrEqual(2);
      ids.push(...page.items.map(({ id }) => id));
      cursor = page.cursor;
    } while (cursor !== undefined);
    expect(ids).toHaveLength(5);
    expect(new Set(ids).size).toBe(5);
  });

  it('accept no cursor of another day or route, and no unsigned cursor', async () => {
    await fixture.start();
    await keep('1x', '2x', '3x');
    const { cursor = '' } = await list(`?limit=1&day=${today()}`);
    const refused = { status: 400, body: { type: '/problems/invalid-cursor' } };
    for (const query of [`cursor=${cursor}`, `day=2020-02-29&cursor=${cursor}`, 'cursor=AAAA']) {
      expect(await fixture.ask(`/v1/deadLetters?limit=1&${query}`)).toMatchObject(refused);
    }
    const body = JSON.stringify({ day: today(), cursor });
    expect(await fixture.post('/v1/deadLetters/discard', body)).toMatchObject(refused);
  });

  it.each(['?day=2020-02-30', '?day=today', '?limit=0', '?dya=2020-02-29'])(
    'are not listed for %s',
    async (query) => {
      await fixture.start();
      expect(await fixture.ask(`/v1/deadLetters${query}`)).toMatchObject({ status: 400 });
    },
  );

  it('are not listed after they have expired', async () => {
    await fixture.start();
    const { id } = await keepOne('no JSON');
    const [item = {}] = await items();
    await fixture.table.put({ ...item, ttl: Math.floor(Date.now() / 1000) - 1 });
    expect(await list()).toEqual({ items: [] });
    expect(await fixture.ask(`/v1/deadLetters/${id}`)).toMatchObject(notFound);
  });
});

describe('a message of twenty thousand bad readings', () => {
  it('is one dead letter, which does not name all of them', async () => {
    await fixture.start();
    const deadLetter = await keepOne(`[${'1,'.repeat(19_999)}1]`);
    expect(deadLetter).toMatchObject({ reason: 'malformed', bytes: 40_001 });
    expect(deadLetter).not.toHaveProperty('indexes');
    const answer = await fixture.post(`/v1/deadLetters/${deadLetter.id}/replay`);
    const { refused } = answer.body as { refused: unknown[] };
    expect(answer.body).toMatchObject({ stored: 0, refusedCount: 20_000 });
    expect(refused).toHaveLength(1000);
  });
});

describe('a dead letter', () => {
  it('is returned with its payload, byte for byte, with any number of parts', async () => {
    await fixture.start();
    const bytes = Buffer.alloc(300_001);
    for (let index = 0; index < bytes.length; index++) bytes[index] = (index * 7919) >> 3;
    for (const payload of [bytes, Buffer.from('no JSON "<&\u0000居')]) {
      for (const { id } of (await list()).items) {
        await fixture.ask(`/v1/deadLetters/${id}`, { method: 'DELETE' });
      }
      const { id } = await keepOne(payload);
      const answer = await fixture.ask(`/v1/deadLetters/${id.toLowerCase()}`);
      const { text, base64 } = answer.body as DeadLetterResponse;
      expect(Buffer.from(base64, 'base64').equals(payload)).toBe(true);
      expect(text).toBe(payload === bytes ? undefined : payload.toString());
    }
  });

  it('is discarded with all of its parts', async () => {
    await fixture.start();
    const { id } = await keepOne(Buffer.alloc(700_000, 'x'));
    expect(await items()).toHaveLength(3);
    expect(await fixture.ask(`/v1/deadLetters/${id}`, { method: 'DELETE' })).toMatchObject({
      status: 204,
    });
    expect(await items()).toEqual([]);
    expect(await fixture.ask(`/v1/deadLetters/${id}`, { method: 'DELETE' })).toMatchObject(
      notFound,
    );
    expect(await fixture.metric('engawa_ingest_dead_letters_ended_total')).toBe(1);
  });

  it('that does not exist is not found, and an invalid id is refused', async () => {
    await fixture.start();
    for (const id of [missing, '7ZZZZZZZZZZZZZZZZZZZZZZZZZ']) {
      expect(await fixture.ask(`/v1/deadLetters/${id}`)).toMatchObject(notFound);
      expect(await fixture.post(`/v1/deadLetters/${id}/replay`)).toMatchObject(notFound);
    }
    expect(await fixture.ask('/v1/deadLetters/1')).toMatchObject({ status: 400 });
  });
});

import { openBeforeAll } from '@engawa/testing';
import { DeadLetterWriter } from '../src/dead-letters/dead-letter-writer.ts';
import { deadLetterOfMessage } from '../src/dead-letters/dead-letter-of-message.ts';
import { UniqueParts } from '../src/dead-letters/unique-parts.ts';
import { refusalOf } from '../src/refusals/refusal.ts';
import { IngestionFixture } from './ingestion-fixture.ts';

const maxBytes = 20_000;
/** The envelope of a page: its cursor, and the head of a dead letter. */
const envelope = 1500;

const fixture = openBeforeAll(() => IngestionFixture.open());
beforeAll(() =>
  fixture.start({ RESPONSE_BYTE_LIMIT: String(maxBytes), DEVICE_ADMISSION: 'closed' }),
);

const unique = new UniqueParts();

interface LetterContent {
  payload: string | Buffer;
  note?: string;
  topic?: string;
}

/** Stores a dead letter. @returns its id */
async function keep({
  payload,
  note = '',
  topic = 'engawa/t/readings',
}: LetterContent): Promise<string> {
  const receivedAt = Date.now();
  const message = {
    ...{ topic, payload: Buffer.from(payload), qos: 1 as const, retained: false, duplicate: false },
    ...{ session: 'ingestion-0', messageId: 1, receivedAt, release: () => undefined },
    userProperties: [['note', note]] as const,
  };
  const refusals = [refusalOf('payload-not-text')];
  const { deadLetter } = deadLetterOfMessage(message, refusals, unique.next(receivedAt));
  const writer = fixture.table.batchWriter();
  await new DeadLetterWriter(writer).write(deadLetter);
  writer.close();
  return deadLetter.id;
}

const bytesOf = (body: unknown) => Buffer.byteLength(JSON.stringify(body));

it('a list of dead letters ends before it exceeds RESPONSE_BYTE_LIMIT, with a cursor', async () => {
  const ids: string[] = [];
  for (let index = 0; index < 30; index++) {
    // Six times as many bytes in JSON; one of them is larger than a page.
    const note = '\u0001'.repeat(index === 4 ? 4000 : 100 * (index % 7));
    ids.push(await keep({ payload: 'x', note }));
  }
  const found: string[] = [];
  let [pages, cursor]: [number, string | undefined] = [0, undefined];
  do {
    const parameters = new URLSearchParams({ limit: '1000', ...(cursor && { cursor }) });
    const { body } = await fixture.ask(`/v1/deadLetters?${parameters.toString()}`);
    const page = body as { items: { id: string }[]; cursor?: string };
    if (page.items.length > 1) expect(bytesOf(page)).toBeLessThan(maxBytes + envelope);
    found.push(...page.items.map(({ id }) => id));
    ({ cursor } = page);
    pages += 1;
    expect(pages).toBeLessThan(100);
  } while (cursor !== undefined);
  expect(pages).toBeGreaterThan(2);
  expect(found.toSorted()).toEqual(ids.toSorted());
});

it.each([
  ['control characters', '\u0001\n"\\'.repeat(10_000)],
  ['characters of three bytes', '報告'.repeat(10_000)],
  ['characters of four bytes', `a${'𠮷'.repeat(10_000)}`],
  ['no text', Buffer.from(Array.from({ length: 40_000 }, (_, index) => (index * 7919) >> 3))],
])('a dead letter is returned in ranges that fit RESPONSE_BYTE_LIMIT: %s', async (_, payload) => {
  const id = await keep({ payload });
  const pieces: Buffer[] = [];
  const texts: (string | undefined)[] = [];
  let offset: number | undefined = 0;
  while (offset !== undefined) {
    const { body } = await fixture.ask(`/v1/deadLetters/${id}?offset=${offset}`);
    expect(bytesOf(body)).toBeLessThan(maxBytes + envelope);
    const piece = body as { base64: string; text?: string; nextOffset?: number };
    pieces.push(Buffer.from(piece.base64, 'base64'));
    texts.push(piece.text);
    offset = piece.nextOffset;
    expect(pieces.length).toBeLessThan(100);
  }
  expect(pieces.length).toBeGreaterThan(2);
  expect(Buffer.concat(pieces).equals(Buffer.from(payload))).toBe(true);
  if (typeof payload === 'string') expect(texts.join('')).toBe(payload);
});

it('the preview of a replay has as many readings as fit RESPONSE_BYTE_LIMIT', async () => {
  await fixture.service?.close();
  await fixture.start({ RESPONSE_BYTE_LIMIT: String(maxBytes) });
  const readings = Array.from({ length: 200 }, (_, index) => ({
    index,
    text: '\u0001'.repeat(99),
  }));
  // A number of 39 digits is left out.
  const refused = `[${readings.map(({ index }) => `{"index":${index},"bad":${'9'.repeat(39)}}`).join()}]`;
  const stored = await keep({ payload: JSON.stringify(readings) });
  const { body } = await fixture.ask(`/v1/deadLetters/${stored}/preview`);
  expect(body).toMatchObject({ outcome: 'stored', stored: 200 });
  expect(bytesOf(body)).toBeLessThan(maxBytes + envelope);
  expect((body as { readings: unknown[] }).readings.length).toBeGreaterThan(10);
  const cut = await keep({ payload: refused });
  const { body: other } = await fixture.ask(`/v1/deadLetters/${cut}/preview`);
  expect(other).toMatchObject({ outcome: 'refused', leftOutCount: 200 });
  expect(bytesOf(other)).toBeLessThan(maxBytes + envelope);
});

it('the refused readings of a body are listed as far as they fit RESPONSE_BYTE_LIMIT', async () => {
  const readings = Array.from({ length: 300 }, (_, index) => ({ device: 'a', index, time: 'x' }));
  const { status, body } = await fixture.post('/v1/readings', JSON.stringify(readings));
  expect(status).toBe(202);
  expect(body).toMatchObject({ stored: 0, refusedCount: 300 });
  expect(bytesOf(body)).toBeLessThan(maxBytes + envelope);
  expect((body as { refused: unknown[] }).refused.length).toBeGreaterThan(10);
});

it('a replay of many dead letters ends before the remaining ones exceed RESPONSE_BYTE_LIMIT', async () => {
  const ids: string[] = [];
  for (let index = 0; index < 100; index++) ids.push(await keep({ payload: `no JSON ${index}` }));
  const stayed: string[] = [];
  let cursor: string | undefined;
  do {
    const selection = JSON.stringify({ ids, ...(cursor && { cursor }) });
    const { body } = await fixture.post('/v1/deadLetters/replay', selection);
    // Eight dead letters are replayed together.
    expect(bytesOf(body)).toBeLessThan(maxBytes + 8 * 500 + envelope);
    const answer = body as { stayed: { id: string }[]; cursor?: string };
    expect(answer.stayed.length).toBeLessThan(ids.length);
    stayed.push(...answer.stayed.map(({ id }) => id));
    ({ cursor } = answer);
  } while (cursor !== undefined);
  expect(stayed.toSorted()).toEqual(ids.toSorted());
});

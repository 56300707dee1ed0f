import { deadLetterPartition } from '@engawa/keys';
import { deadLetterItems, deadLetterPartBytes } from '@engawa/model';
import { openBeforeEach, until } from '@engawa/testing';
import { UniqueParts } from '../src/dead-letters/unique-parts.ts';
import { deadLetterOfMessage } from '../src/dead-letters/dead-letter-of-message.ts';
import { refusalOf } from '../src/refusals/refusal.ts';
import { IngestionFixture } from './ingestion-fixture.ts';
import type { DeadLetter } from '@engawa/model';

interface Listed {
  id: string;
  incomplete?: unknown;
}
interface Page {
  items: Listed[];
  cursor?: string;
}

const fixture = openBeforeEach(() => IngestionFixture.open());

const unique = new UniqueParts();
const pk = deadLetterPartition(new Date().toISOString().slice(0, 10), 0);
const incomplete = {
  reason: 'too_large',
  detail: 'a part of the dead letter is missing',
  detailCode: { code: 'dead-letter-incomplete', values: {} },
};

/** Of so many parts, the last of which has one byte. */
async function write(parts: number): Promise<DeadLetter> {
  const payload = Buffer.alloc((parts - 1) * deadLetterPartBytes + 1, 'x');
  const receivedAt = Date.now();
  const message = {
    ...{ topic: 'engawa/t/readings', payload, qos: 1 as const, retained: false, duplicate: false },
    ...{ session: 'ingestion-0', messageId: 1, userProperties: undefined, receivedAt },
    release: () => undefined,
  };
  const refusals = [refusalOf('payload-not-text')];
  const { deadLetter } = deadLetterOfMessage(message, refusals, unique.next(receivedAt));
  for (const item of deadLetterItems(deadLetter, 0)) await fixture.table.put(item);
  return deadLetter;
}

const losePart = ({ id }: DeadLetter, part: number) =>
  fixture.table.delete({ pk, sk: `${id}#000${part}` });

/** All dead letters: by id, the value of `incomplete`. */
async function list(limit: number): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  let cursor: string | undefined;
  do {
    const query = `limit=${limit}${cursor === undefined ? '' : `&cursor=${cursor}`}`;
    const page = (await fixture.ask(`/v1/deadLetters?${query}`)).body as Page;
    for (const { id, incomplete: why } of page.items) {
      expect(found.has(id)).toBe(false);
      found.set(id, why);
    }
    cursor = page.cursor;
  } while (cursor !== undefined);
  return found;
}

it('a dead letter with a missing part says so, and returns the bytes before it', async () => {
  await fixture.start();
  const deadLetter = await write(3);
  await losePart(deadLetter, 1);
  const path = `/v1/deadLetters/${deadLetter.id}`;
  const { status, body } = await fixture.ask(path);
  const { base64, ...head } = body as { base64: string };
  expect([status, head]).toMatchObject([200, { id: deadLetter.id, offset: 0, incomplete }]);
  expect(head).not.toHaveProperty('nextOffset');
  expect(Buffer.from(base64, 'base64')).toHaveLength(deadLetterPartBytes);
  const behind = await fixture.ask(`${path}?offset=${2 * deadLetterPartBytes}`);
  expect(behind.body).toMatchObject({ text: 'x' });
  expect(behind.body).not.toHaveProperty('incomplete');
  expect((await fixture.ask(`${path}/preview`)).body).toMatchObject(incomplete);
  const replayed = await fixture.post(`${path}/replay`);
  expect(replayed.body).toMatchObject({ stored: 0, refused: [incomplete] });
  expect(await fixture.ask(path, { method: 'DELETE' })).toMatchObject({ status: 204 });
  expect(await fixture.items(pk)).toEqual([]);
});

it.each([1, 2, 3, 4, 100])(
  'a list in pages of %d items says which dead letters have a missing part',
  async (limit) => {
    await fixture.start();
    const letters = [1, 3, 2, 6, 8, 2].map((parts) => write(parts));
    const [one, three, two, six, eight, whole] = await Promise.all(letters);
    if (!one || !three || !two || !six || !eight || !whole) throw new Error('not written');
    await losePart(three, 1);
    await losePart(two, 1);
    await losePart(eight, 7);
    const found = await list(limit);
    for (const { id } of [three, two, eight]) expect(found.get(id)).toEqual(incomplete);
    for (const { id } of [one, six, whole]) expect(found.get(id)).toBeUndefined();
    expect(found.size).toBe(6);
  },
);

it('a dead letter that is removed while it is listed is left out, not incomplete', async () => {
  const proxy = await fixture.openProxy();
  await fixture.start({ DYNAMODB_ENDPOINT: proxy.endpoint });
  const deadLetter = await write(3);
  await losePart(deadLetter, 1);
  const { promise, resolve } = Promise.withResolvers<'answered'>();
  let isHeld = false;
  proxy.fateOf = ({ operation, body }) => {
    // The Query that looks for the missing part again.
    if (operation !== 'Query' || !body.includes('begins_with')) return 'answered';
    isHeld = true;
    return promise;
  };
  const listed = list(1);
  await until('that Query', () => isHeld);
  const discarded = await fixture.ask(`/v1/deadLetters/${deadLetter.id}`, { method: 'DELETE' });
  expect(discarded.status).toBe(204);
  resolve('answered');
  expect([...(await listed).keys()]).toEqual([]);
});

import { createHash } from 'node:crypto';
import { shardOf } from '@engawa/keys';
import { deadLetterId, deadLetterItems, deadLettersSpreadItem } from '@engawa/model';
import { until } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';
import type { DeadLetter } from '@engawa/model';

const letterShards = 64;
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

let fixture: IngestionFixture;
beforeEach(async () => (fixture = await IngestionFixture.open()));
afterEach(() => fixture.close());

function letterOf(number: number, receivedAt: number): DeadLetter {
  const payload = Buffer.from(JSON.stringify({ ts: minutesAgo(60 + number), x: number }));
  const id = deadLetterId(receivedAt, createHash('sha256').update(payload).digest());
  const why = { reason: 'throttled' as const, detail: 'throttled' };
  return { id, ...why, topic: 'engawa/hot/readings', payload, properties: {}, receivedAt };
}

/** As a process leaves them that was killed while a device was throttled. @returns the numbers in them */
async function leave(count: number, receivedAt: number): Promise<number[]> {
  const writer = fixture.table.batchWriter();
  const candidates = Array.from({ length: 2000 }, (_, number) => letterOf(number, receivedAt));
  // The last of the keys must not be forgotten.
  const inLast = candidates.findIndex(({ id }) => shardOf(id, letterShards) === letterShards - 1);
  const left = [...candidates.splice(inLast, 1), ...candidates.slice(0, count - 1)];
  const letters = left.map(
    (letter) => deadLetterItems(letter, shardOf(letter.id, letterShards))[0],
  );
  const items = [deadLettersSpreadItem(receivedAt), ...letters];
  await Promise.all(items.map((item) => writer.put(item)));
  writer.close();
  return left.map(({ payload }) => (JSON.parse(String(payload)) as { x: number }).x);
}

interface Page {
  items: { id: string; reason: string }[];
  cursor?: string;
}

async function listed(limit: number): Promise<Page['items']> {
  const letters: Page['items'] = [];
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({ limit: String(limit), ...(cursor && { cursor }) });
    const { body } = await fixture.ask(`/v1/deadLetters?${query.toString()}`);
    letters.push(...(body as Page).items);
    cursor = (body as Page).cursor;
  } while (cursor !== undefined);
  return letters;
}

const left = async (day: number) => {
  const name = new Date(day).toISOString().slice(0, 10);
  const shards = Array.from({ length: letterShards }, (_, shard) =>
    fixture.items(`DLQ#${name}#${shard}`),
  );
  return (await Promise.all(shards)).flat().filter(({ sk }) => sk !== 'SPREAD').length;
};

it.each([0, 1, 2])(
  'are all listed, wherever pages end, behind %d letters of the first key',
  async (others) => {
    await fixture.start({ DEVICE_ADMISSION: 'closed' });
    for (let number = 0; number < others; number++) {
      await fixture.publish('engawa/t/readings', `no JSON ${number}`);
    }
    await fixture.settled(others);
    await leave(5, Date.now());
    for (const limit of [1, 2, 3, 100]) {
      const letters = await listed(limit);
      expect(new Set(letters.map(({ id }) => id)).size).toBe(5 + others);
      expect(letters).toHaveLength(5 + others);
    }
  },
);

it('are stored by the next process, of today and yesterday', async () => {
  const yesterday = Date.now() - 86_400_000;
  const today = await leave(30, Date.now());
  const before = await leave(5, yesterday);
  await fixture.start();
  await until('all readings', async () => (await fixture.readingsOf('hot')).length >= 30);
  await until('no letter', async () => (await left(Date.now())) + (await left(yesterday)) === 0);
  const readings = await fixture.readingsOf('hot');
  const numbers = new Set(readings.map(({ fields }) => fields['x'] as number));
  expect([...numbers].toSorted()).toEqual([...new Set([...today, ...before])].toSorted());
});

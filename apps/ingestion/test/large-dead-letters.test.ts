import { keyOf } from '@engawa/model';
import { Registry } from 'prom-client';
import { openBeforeEach } from '@engawa/testing';
import { MemoryBudget } from '../src/intake/memory-budget.ts';
import { Semaphore } from '../src/concurrency/semaphore.ts';
import { DeadLetterWork } from '../src/http/dead-letter-work.ts';
import { DeadLetters } from '../src/dead-letters/dead-letters.ts';
import { DeadLetterWriter } from '../src/dead-letters/dead-letter-writer.ts';
import { refusalOf } from '../src/refusals/refusal.ts';
import { UniqueParts } from '../src/dead-letters/unique-parts.ts';
import { deadLetterOfMessage } from '../src/dead-letters/dead-letter-of-message.ts';
import { DeadLetterMetrics } from '../src/dead-letters/dead-letter-metrics.ts';
import { TableTimeout } from '../src/http/table-timeout.ts';
import { IngestionFixture } from './ingestion-fixture.ts';
import type { DeadLetter } from '@engawa/model';

interface PayloadPart {
  base64: string;
  text?: string;
  bytes: number;
  offset: number;
  nextOffset?: number;
}

const fixture = openBeforeEach(() => IngestionFixture.open());

const { signal } = new AbortController();
const mebibyte = 1024 * 1024;

function letterOf(payload: Buffer): DeadLetter {
  const receivedAt = Date.now();
  const message = {
    ...{ topic: 'engawa/t/readings', payload, qos: 1 as const, retained: false, duplicate: false },
    ...{ session: 'ingestion-0', messageId: 1, userProperties: undefined, receivedAt },
    release: () => undefined,
  };
  const refusals = [refusalOf('payload-not-text')];
  return deadLetterOfMessage(message, refusals, new UniqueParts().next(receivedAt)).deadLetter;
}

/** Writes the dead letter, and records the puts and how many are in flight. */
async function write(deadLetter: DeadLetter) {
  const writer = fixture.table.batchWriter();
  const keys: string[] = [];
  const partitions = new Set<string>();
  let most = 0;
  const put = writer.put.bind(writer);
  writer.put = (item, options) => {
    const { pk, sk } = keyOf({ ...item });
    keys.push(sk);
    partitions.add(pk);
    const stored = put(item, options);
    most = Math.max(most, writer.pending);
    return stored;
  };
  await new DeadLetterWriter(writer).write(deadLetter);
  writer.close();
  return { keys, partitions, most };
}

describe('a dead letter of many parts', () => {
  it('is written two parts at a time, its head last', async () => {
    const deadLetter = letterOf(Buffer.alloc(5 * mebibyte, 'x'));
    const { keys, partitions, most } = await write(deadLetter);
    expect(keys).toHaveLength(20);
    expect(most).toBe(2);
    expect(keys.at(-1)).toBe(deadLetter.id);
    // DynamoDB accepts a megabyte per second of one key.
    expect(partitions.size).toBeGreaterThan(10);
  });

  it('is returned in ranges, which together are the payload', async () => {
    await fixture.start();
    const payload = Buffer.alloc(2.5 * mebibyte);
    for (let index = 0; index < payload.length; index++) payload[index] = (index * 7919) >> 3;
    const deadLetter = letterOf(payload);
    const { partitions } = await write(deadLetter);
    const pieces: Buffer[] = [];
    let offset: number | undefined = 0;
    while (offset !== undefined) {
      const answer = await fixture.ask(`/v1/deadLetters/${deadLetter.id}?offset=${offset}`);
      const piece = answer.body as PayloadPart;
      expect(piece).toMatchObject({ offset, bytes: payload.length });
      pieces.push(Buffer.from(piece.base64, 'base64'));
      offset = piece.nextOffset;
    }
    expect(pieces.length).toBeGreaterThan(2);
    expect(Buffer.concat(pieces).equals(payload)).toBe(true);
    const behind = await fixture.ask(
      `/v1/deadLetters/${deadLetter.id}?offset=${payload.length + 1}`,
    );
    expect(behind.body).toMatchObject({ base64: '', text: '' });
    const discarded = await fixture.ask(`/v1/deadLetters/${deadLetter.id}`, { method: 'DELETE' });
    expect(discarded.status).toBe(204);
    for (const pk of partitions) expect(await fixture.items(pk)).toEqual([]);
    const wrong = await fixture.ask(`/v1/deadLetters/${deadLetter.id}?offset=-1`);
    expect(wrong).toMatchObject({ status: 400 });
  });
});

it('a dead letter that would not fit into the heap when decoded is not replayed, and remains', async () => {
  const deadLetter = letterOf(Buffer.alloc(1000, 'x'));
  await write(deadLetter);
  const deadLetters = new DeadLetters(fixture);
  const found = await deadLetters.find(deadLetter.id, signal);
  if (found === undefined) throw new Error('the dead letter is not there');
  const timeout = new TableTimeout(
    { timeouts: { stallMs: 1000, requestMs: 1000 }, missing: () => undefined, closing: signal },
    signal,
  );
  const work = new DeadLetterWork({
    deadLetters,
    replay: () => Promise.reject(new Error('the dead letter was replayed')),
    preview: () => Promise.reject(new Error('the dead letter was decoded')),
    readingSlots: new Semaphore(1),
    memory: new MemoryBudget(1).share(1),
    metrics: new DeadLetterMetrics(new Registry()),
    maxReplayBytes: 999,
  });
  const { refusals } = (await work.replay(found, timeout, signal)) ?? {};
  expect(await work.preview(found, timeout, signal)).toMatchObject({ refusals, readings: [] });
  expect(refusals).toEqual([
    {
      reason: 'too_large',
      detailCode: { code: 'dead-letter-too-large', values: { bytes: 1000, max: 999 } },
      detail:
        'the dead letter has 1000 bytes, at most 999 are replayed: fetch its payload in ranges and send its readings in smaller messages',
    },
  ]);
  expect(await deadLetters.find(deadLetter.id, signal)).toEqual(found);
});

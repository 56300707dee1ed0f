import pMap from 'p-map';
import { deadLetterItems, deadLettersSpreadItem, keyOf } from '@engawa/model';
import { Semaphore } from '../concurrency/semaphore.ts';
import { partShard, spreadShard } from './dead-letter-shards.ts';
import { putUnlessThrottled } from './put-unless-throttled.ts';
import type { DeadLetter, Document } from '@engawa/model';
import type { BatchWriter, PutOptions } from '@engawa/table';

/** The span of the message that a dead letter keeps. */
type Origins = Pick<PutOptions, 'origins'>;

/** Kilobytes of the dead letters that are being written at once; as JSON they take four times that. */
const maxKilobytes = 8192;
/** Kilobytes of one dead letter that are. */
const maxKilobytesOfDeadLetter = 512;
/** Bytes of a payload whose parts share a key: two seconds of what DynamoDB takes of one. */
const maxBytesPerKey = 2 * 1024 * 1024;
/** Parts of one dead letter that are written at once. */
const maxParts = 2;

/** Writes dead letters to the first shard of their day, or, while DynamoDB throttles that, to the others. */
export class DeadLetterWriter {
  readonly #writer: BatchWriter;
  readonly #memory = new Semaphore(maxKilobytes);
  /** Never aborted: what waits for room is rejected in its turn once the writer is closed. */
  readonly #open = new AbortController();
  /** The day of which it was last written that its dead letters are spread. */
  #spread: { pk: string; written: Promise<void> } | undefined;

  constructor(writer: BatchWriter) {
    this.#writer = writer;
  }

  /** Resolves when all of it is durable. Rejects with ItemRejected or WriterClosed; with KeyError for a year that no key has. */
  async write(deadLetter: DeadLetter, origins: Origins = {}): Promise<void> {
    const kilobytes = Math.ceil((deadLetter.payload.length + 1) / 1024);
    const release = await this.#memory.acquire(
      Math.min(kilobytes, maxKilobytesOfDeadLetter),
      this.#open.signal,
    );
    try {
      if (await this.#writeToFirst(deadLetter, origins)) return;
      await this.#markSpread(deadLetter, origins);
      const items = itemsOf(deadLetter, spreadShard(deadLetter.id));
      await writeInOrder(items, (item) => this.#writer.put(item, origins));
    } finally {
      release();
    }
  }

  /** @returns whether it is written; parts of a dead letter without a head are not seen, and expire */
  async #writeToFirst(deadLetter: DeadLetter, origins: Origins): Promise<boolean> {
    let isTaken = true;
    await writeInOrder(itemsOf(deadLetter, 0), async (item) => {
      if (isTaken) isTaken = (await putUnlessThrottled(this.#writer, item, origins)) && isTaken;
    });
    return isTaken;
  }

  /** Before the first dead letter is in another shard, or a list of the day would not look there. */
  #markSpread({ receivedAt }: DeadLetter, origins: Origins): Promise<void> {
    const item = deadLettersSpreadItem(receivedAt);
    const { pk } = keyOf(item);
    // Of a day that is over there are few dead letters: written once more, it says the same.
    if (this.#spread?.pk === pk) return this.#spread.written;
    const written = this.#writer.put(item, origins);
    this.#spread = { pk, written };
    written.catch(() => (this.#spread = undefined));
    return written;
  }
}

function itemsOf(deadLetter: DeadLetter, shard: number): [Document, ...Document[]] {
  if (deadLetter.payload.length <= maxBytesPerKey) return deadLetterItems(deadLetter, shard);
  return deadLetterItems(deadLetter, shard, (part) => partShard(deadLetter.id, part));
}

/** The head last: a reader that finds it finds the dead letter whole. */
async function writeInOrder(
  [head, ...parts]: readonly [Document, ...Document[]],
  write: (item: Document) => Promise<void>,
): Promise<void> {
  await pMap(parts, write, { concurrency: maxParts });
  await write(head);
}

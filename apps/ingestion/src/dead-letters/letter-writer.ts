import { deadLetterItems, deadLettersSpreadItem, keyOf } from '@engawa/model';
import { Semaphore } from '../concurrency/semaphore.ts';
import { partShard, spreadShard } from './letter-shards.ts';
import { putUnlessThrottled } from './put-unless-throttled.ts';
import type { DeadLetter, Document } from '@engawa/model';
import type { BatchWriter, PutOptions } from '@engawa/table';

/** The span of the message that a letter keeps. */
type Origins = Pick<PutOptions, 'origins'>;

/** Kilobytes of the letters that are being written at once; as JSON they take four times that. */
const maxKilobytes = 8192;
/** Kilobytes of one letter that are. */
const maxKilobytesOfLetter = 512;
/** Bytes of a payload whose parts share a key: two seconds of what DynamoDB takes of one. */
const maxBytesOfKey = 2 * 1024 * 1024;
/** Parts of one letter that are written at once. */
const maxParts = 2;

/** Writes letters to the first shard of their day, or, while DynamoDB throttles that, to the others. */
export class LetterWriter {
  readonly #writer: BatchWriter;
  readonly #memory = new Semaphore(maxKilobytes);
  /** Never aborted: what waits for room is rejected in its turn once the writer is closed. */
  readonly #open = new AbortController();
  /** The day of which it was last written that its letters are spread. */
  #spread: { pk: string; written: Promise<void> } | undefined;

  constructor(writer: BatchWriter) {
    this.#writer = writer;
  }

  /** Resolves when all of it is durable. Rejects with ItemRejected or WriterClosed; with KeyError for a year that no key has. */
  async write(letter: DeadLetter, origins: Origins = {}): Promise<void> {
    const kilobytes = Math.ceil((letter.payload.length + 1) / 1024);
    const release = await this.#memory.acquire(
      Math.min(kilobytes, maxKilobytesOfLetter),
      this.#open.signal,
    );
    try {
      if (await this.#writeToFirst(letter, origins)) return;
      await this.#markSpread(letter, origins);
      const items = itemsOf(letter, spreadShard(letter.id));
      await writeInOrder(items, (item) => this.#writer.put(item, origins));
    } finally {
      release();
    }
  }

  /** @returns whether it is written; parts of a letter without a head are not seen, and expire */
  async #writeToFirst(letter: DeadLetter, origins: Origins): Promise<boolean> {
    let isTaken = true;
    await writeInOrder(itemsOf(letter, 0), async (item) => {
      if (isTaken) isTaken = (await putUnlessThrottled(this.#writer, item, origins)) && isTaken;
    });
    return isTaken;
  }

  /** Before the first letter is in another shard, or a list of the day would not look there. */
  #markSpread({ receivedAt }: DeadLetter, origins: Origins): Promise<void> {
    const item = deadLettersSpreadItem(receivedAt);
    const { pk } = keyOf(item);
    // Of a day that is over there are few letters: written once more, it says the same.
    if (this.#spread?.pk === pk) return this.#spread.written;
    const written = this.#writer.put(item, origins);
    this.#spread = { pk, written };
    written.catch(() => (this.#spread = undefined));
    return written;
  }
}

function itemsOf(letter: DeadLetter, shard: number): [Document, ...Document[]] {
  if (letter.payload.length <= maxBytesOfKey) return deadLetterItems(letter, shard);
  return deadLetterItems(letter, shard, (part) => partShard(letter.id, part));
}

/** The head last: a reader that finds it finds the letter whole. */
async function writeInOrder(
  [head, ...parts]: readonly [Document, ...Document[]],
  write: (item: Document) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < parts.length; start += maxParts) {
    await Promise.all(parts.slice(start, start + maxParts).map(write));
  }
  await write(head);
}

import pMap from 'p-map';
import {
  deadLetterDeliveryItem,
  deadLetterItems,
  deadLettersSpreadItem,
  keyOf,
} from '@engawa/model';
import { Semaphore } from '../concurrency/semaphore.ts';
import { partShard, spreadShard } from './dead-letter-shards.ts';
import { KeyThrottled } from '@engawa/table';
import type { DeadLetter, Document } from '@engawa/model';
import type { BatchWriter, PutOptions, TableItem } from '@engawa/table';

/** The trace span of the message of a dead letter. */
type Origins = Pick<PutOptions, 'origins'>;

export interface WriteOptions extends Origins {
  /** The hash of the delivery, of a message that the broker may deliver again. */
  delivery?: Buffer;
}

/** Bytes of a delivery's hash in its record. */
const deliveryBytes = 16;

/** Maximum kilobytes of dead letters that are written at the same time; as JSON they need four times as much. */
const maxKilobytes = 8192;
/** Maximum kilobytes that count for one dead letter. */
const maxKilobytesOfDeadLetter = 512;
/** Maximum bytes of a payload whose parts share a key: two seconds of the write limit of a key. */
const maxBytesPerKey = 2 * 1024 * 1024;
/** Maximum parts of one dead letter that are written at the same time. */
const maxParts = 2;

/** Writes dead letters to the first shard of their day, or, while DynamoDB throttles that, to the other shards. */
export class DeadLetterWriter {
  readonly #writer: BatchWriter;
  readonly #memory = new Semaphore(maxKilobytes);
  /** Never aborted: when the writer is closed, waiting dead letters are rejected in their turn. */
  readonly #open = new AbortController();
  /** The last day that was marked as spread over shards. */
  #spread: { pk: string; written: Promise<void> } | undefined;

  constructor(writer: BatchWriter) {
    this.#writer = writer;
  }

  /**
   * Resolves when the whole dead letter is durable.
   * @throws ItemRejected, WriterClosed; KeyError for a year that no key has
   */
  async write(deadLetter: DeadLetter, { delivery, ...origins }: WriteOptions = {}): Promise<void> {
    const kilobytes = Math.ceil((deadLetter.payload.length + 1) / 1024);
    const release = await this.#memory.acquire(
      Math.min(kilobytes, maxKilobytesOfDeadLetter),
      this.#open.signal,
    );
    try {
      if (delivery !== undefined) await this.#recordDelivery(deadLetter, delivery, origins);
      if (await this.#writeToFirst(deadLetter, origins)) return;
      await this.#markSpread(deadLetter, origins);
      const items = itemsOf(deadLetter, spreadShard(deadLetter.id));
      await writeInOrder(items, (item) => this.#writer.put(item, origins));
    } finally {
      release();
    }
  }

  /** Before the dead letter: a stored one that a redelivery does not find would be stored twice. */
  #recordDelivery(deadLetter: DeadLetter, delivery: Buffer, origins: Origins): Promise<void> {
    const item = deadLetterDeliveryItem(deadLetter, deliveryName(delivery));
    return this.#writer.put(item, origins);
  }

  /** @returns whether it is written; parts without a head are invisible, and expire */
  async #writeToFirst(deadLetter: DeadLetter, origins: Origins): Promise<boolean> {
    let isTaken = true;
    await writeInOrder(itemsOf(deadLetter, 0), async (item) => {
      if (isTaken) isTaken = (await putUnlessThrottled(this.#writer, item, origins)) && isTaken;
    });
    return isTaken;
  }

  /**
   * Marks the day before the first dead letter goes to another shard: otherwise a list of the day would not read that
   * shard.
   */
  #markSpread({ receivedAt }: DeadLetter, origins: Origins): Promise<void> {
    const item = deadLettersSpreadItem(receivedAt);
    const { pk } = keyOf(item);
    // Only the last day is remembered: marking an earlier day again changes nothing.
    if (this.#spread?.pk === pk) return this.#spread.written;
    const written = this.#writer.put(item, origins);
    this.#spread = { pk, written };
    written.catch(() => (this.#spread = undefined));
    return written;
  }
}

/** The hash of a delivery in the key of its record. */
export function deliveryName(delivery: Buffer): string {
  return delivery.subarray(0, deliveryBytes).toString('base64url');
}

function itemsOf(deadLetter: DeadLetter, shard: number): [Document, ...Document[]] {
  if (deadLetter.payload.length <= maxBytesPerKey) return deadLetterItems(deadLetter, shard);
  return deadLetterItems(deadLetter, shard, (part) => partShard(deadLetter.id, part));
}

/** Writes the head last: a reader that finds it finds the whole dead letter. */
async function writeInOrder(
  [head, ...parts]: readonly [Document, ...Document[]],
  write: (item: Document) => Promise<void>,
): Promise<void> {
  await pMap(parts, write, { concurrency: maxParts });
  await write(head);
}

/** @returns whether the item is durable; false, without waiting, if DynamoDB throttles its partition key */
async function putUnlessThrottled(
  writer: BatchWriter,
  item: TableItem,
  options?: Pick<PutOptions, 'origins'>,
): Promise<boolean> {
  try {
    await writer.put(item, { ...options, whenThrottled: 'reject' });
    return true;
  } catch (error) {
    if (error instanceof KeyThrottled) return false;
    throw error;
  }
}

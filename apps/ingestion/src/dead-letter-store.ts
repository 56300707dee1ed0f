import { createHash } from 'node:crypto';
import { shardOf } from '@engawa/keys';
import { deadLetterItems } from '@engawa/model';
import type { DeadLetterReason } from '@engawa/model';
import type { Message } from '@engawa/mqtt';
import type { BatchWriter } from '@engawa/table';
import type { IngestionMetrics } from './metrics.ts';

/** Why a message, or the reading at `index` in it, is not stored. */
export interface Refusal {
  reason: DeadLetterReason;
  detail: string;
  index?: number;
}

export interface DeadLetterStoreOptions {
  writer: BatchWriter;
  metrics: IngestionMetrics;
  /** Over how many keys the letters of one day are spread. */
  shards: number;
}

/** Crockford's base 32, in which ULIDs are written. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const millisecondsOfDay = 86_400_000;

/** Keeps messages that cannot become readings, whole, so that nothing acknowledged is lost. */
export class DeadLetterStore {
  readonly #options: DeadLetterStoreOptions;

  constructor(options: DeadLetterStoreOptions) {
    this.#options = options;
  }

  /** Resolves once the message is durable, with all that is wrong with it. */
  async keep(message: Message, refusals: readonly Refusal[]): Promise<void> {
    const { writer, metrics, shards } = this.#options;
    const [first] = refusals;
    if (first === undefined) return;
    const id = letterId(message);
    const indexes = refusals.flatMap(({ index }) => (index === undefined ? [] : [index]));
    const letter = {
      id,
      reason: first.reason,
      detail: describe(refusals),
      topic: message.topic,
      payload: message.payload,
      properties: message.userProperties ?? {},
      receivedAt: message.receivedAt,
      ...(indexes.length === 0 ? {} : { indexes }),
    };
    const items = deadLetterItems(letter, shardOf(id, shards));
    await Promise.all(items.map((item) => writer.put(item)));
    metrics.deadLetterKept(first.reason);
  }
}

/**
 * The same message received again on the same day is the same dead letter, as the same reading is the same reading: so
 * the ULID has the day where others have the millisecond, and a hash of the message for its random part.
 */
function letterId({ topic, payload, receivedAt }: Message): string {
  const day = receivedAt - (receivedAt % millisecondsOfDay);
  const hash = createHash('sha256').update(`${topic.length} ${topic}`).update(payload).digest();
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(day, 0, 6);
  hash.copy(bytes, 6, 0, 10);
  let bits = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (let index = 0; index < 26; index++) {
    text = (alphabet[Number(bits & 31n)] ?? '') + text;
    bits >>= 5n;
  }
  return text;
}

function describe(refusals: readonly Refusal[]): string {
  const [first, ...more] = refusals;
  const where = first?.index === undefined ? '' : `reading ${first.index}: `;
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
  return `${where}${first?.detail ?? ''}${others}`;
}

import { createHash } from 'node:crypto';
import { deadLetterId, valueSize } from '@engawa/model';
import { refusalOf } from '../refusals/refusal.ts';
import { whyRefused } from '../refusals/why-refused.ts';
import type { DeadLetter } from '@engawa/model';
import type { Message } from '@engawa/mqtt';
import type { Refusal } from '../refusals/refusal.ts';

/** Maximum bytes of user properties: with more, an item could not hold payload and topic. */
const maxPropertiesBytes = 32 * 1024;

/** The dead letter of a message, and the hash of its delivery. */
export interface NewDeadLetter {
  deadLetter: DeadLetter;
  /** 32 bytes, equal for every delivery of a message. */
  delivery: Buffer;
}

/**
 * Makes a dead letter of a message.
 * @param unique 5 bytes that distinguish dead letters of equal deliveries
 */
export function deadLetterOfMessage(
  message: Message,
  refusals: readonly Refusal[],
  unique: Uint8Array,
): NewDeadLetter {
  const { topic, payload, receivedAt, session, messageId } = message;
  const why = whyRefused(refusals);
  const { code, values } = why.detailCode;
  const properties = message.userProperties ?? [];
  const size = valueSize(properties);
  const isTooMuch = size > maxPropertiesBytes;
  const delivery = deliveryHash(message);
  const deadLetter = {
    ...why,
    id: deadLetterId({ receivedAt, delivery, unique }),
    topic,
    payload,
    receivedAt,
    properties: isTooMuch ? [] : properties,
    ...{ session, messageId },
    ...(isTooMuch && {
      detail: `${why.detail}; its ${size} bytes of user properties are left out`,
      detailCode: { code, values: { ...values, omittedBytes: size } },
    }),
  };
  return { deadLetter, delivery };
}

/**
 * The smallest form of a dead letter that the table rejects: of the sender's data only topic and payload, and the
 * fields that a replay must not store again.
 */
export function minimalDeadLetter(deadLetter: DeadLetter): DeadLetter {
  const { id, reason, topic, payload, receivedAt, partlyStored } = deadLetter;
  const { detail, detailCode } = refusalOf('dead-letter-rejected');
  return {
    ...{ id, reason, detail, detailCode, topic, payload, receivedAt, properties: [] },
    ...(partlyStored && { partlyStored }),
  };
}

function deliveryHash({ topic, payload, session, messageId }: Message): Buffer {
  const hash = createHash('sha256');
  for (const text of [topic, session, `${messageId}`]) hash.update(`${text.length} ${text}`);
  return hash.update(payload).digest();
}

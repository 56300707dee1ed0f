import { Problem } from '@engawa/errors';
import { KeyError, ulid } from '@engawa/keys';
import { deadLetterReasons } from '@engawa/model';
import { z } from 'zod';
import { refusal } from '../refusal-schema.ts';
import type { DeadLetter, DeadLetterHead } from '@engawa/model';
import type { Refusal, Verdict } from '../refusal.ts';

/** Refusals of one letter that an answer names. */
const mostRefusals = 1000;

export const deadLetterId = z
  .string()
  .transform((text, context) => {
    try {
      return ulid('id', text);
    } catch (error) {
      if (!(error instanceof KeyError)) throw error;
      context.addIssue(error.reason);
      return z.NEVER;
    }
  })
  .describe('The id of the dead letter, as a list gives it.');

export const day = z.iso.date().describe('Day of receipt, in UTC, such as 2026-11-21.');

/** A dead letter as lists show it. */
export const listedLetter = z.strictObject({
  id: z.string(),
  reason: z.enum(deadLetterReasons),
  detail: z.string(),
  topic: z.string(),
  receivedAt: z.iso.datetime(),
  bytes: z.int().describe('Length of the payload.'),
  indexes: z
    .array(z.int())
    .optional()
    .describe(
      'Which of its readings are not stored, counted from 0; absent if the whole is meant.',
    ),
  properties: z
    .record(z.string(), z.union([z.string(), z.array(z.string())]))
    .describe('User properties of MQTT 5.'),
});

/** A dead letter whole. */
export const wholeLetter = listedLetter.extend({
  text: z.string().optional().describe('The payload, if it is text in UTF-8.'),
  base64: z.string().describe('The payload, whatever it is.'),
});

/** What became of one that was replayed. */
export const replayed = z.strictObject({
  stored: z.int().describe('Readings stored, or stored before already.'),
  refusedCount: z.int(),
  refused: z.array(refusal).describe('At most 1,000 of them. If there are any, the letter stays.'),
});

export function showListed({ receivedAt, ...head }: DeadLetterHead) {
  const { id, reason, detail, topic, bytes, indexes, properties } = head;
  return {
    ...{ id, reason, detail, topic, bytes, properties },
    receivedAt: new Date(receivedAt),
    ...(indexes !== undefined && { indexes }),
  };
}

export function showWhole({ payload, receivedAt, ...rest }: DeadLetter) {
  const text = textOf(payload);
  return {
    ...rest,
    receivedAt: new Date(receivedAt),
    bytes: payload.length,
    ...(text !== undefined && { text }),
    base64: Buffer.from(payload).toString('base64'),
  };
}

export function showReplayed({ stored, refusals }: Verdict) {
  return {
    stored,
    refusedCount: refusals.length,
    refused: refusals.slice(0, mostRefusals).map(showRefusal),
  };
}

/** An error may quote a piece of the payload that ends between two halves of a character. */
export function showRefusal({ detail, ...rest }: Refusal): Refusal {
  return { ...rest, detail: detail.toWellFormed() };
}

export function notFound(id: string): Problem {
  return new Problem('dead-letter-not-found', `There is no dead letter ${id}.`);
}

/** A byte order mark is part of what was sent. */
function textOf(payload: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(payload);
  } catch {
    return undefined;
  }
}

import { invariant, Problem } from '@engawa/errors';
import { KeyError, ulid } from '@engawa/keys';
import { deadLetterReasons, deviceId } from '@engawa/model';
import { z } from 'zod';
import { topicFilter } from '../decoders/topic-filter.ts';
import { refusalOf } from '../refusals/refusal.ts';
import { detailCodeField, leftOut, refusal, showDetailCode } from '../refusals/refusal-schema.ts';
import { fittingRefusals, notStored, showRefusals } from './show-refusals.ts';
import type { DeadLetterHead, LeftOutValue, UserProperties } from '@engawa/model';
import type { PayloadRange } from '../dead-letters/dead-letters.ts';
import type { IngestResult } from '../refusals/refusal.ts';

export const deadLetterId = z
  .string()
  .meta({ pattern: '^[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}$' })
  .transform((text, context) => {
    try {
      return ulid('id', text);
    } catch (error) {
      if (!(error instanceof KeyError)) throw error;
      context.addIssue(error.reason);
      return z.NEVER;
    }
  })
  .describe('Id of the dead letter, as in a list.');

export const day = z.iso.date().describe('Day of receipt in UTC, such as 2026-11-21.');

/** The filters of a list and of a selection. */
export const criteria = {
  reason: z.enum(deadLetterReasons).optional().describe('Only dead letters with this reason.'),
  topic: z
    .string()
    .superRefine((text, context) => {
      try {
        topicFilter(text);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        context.addIssue(error.message);
      }
    })
    .optional()
    .describe(
      'Only dead letters of this topic, or of topics that this MQTT topic filter matches, such as `engawa/+/readings`.',
    ),
  device: deviceId
    .optional()
    .describe(
      'Only dead letters whose topic names this device, by the present decoders and topic filters.',
    ),
};

/** A dead letter in a list. */
export const listedDeadLetter = z.strictObject({
  id: z.string(),
  reason: z.enum(deadLetterReasons),
  detail: z.string(),
  detailCode: detailCodeField,
  topic: z.string(),
  receivedAt: z.iso.datetime(),
  bytes: z.int().describe('Length of the payload in bytes.'),
  indexes: z
    .array(z.int())
    .optional()
    .describe(
      'Indexes of the readings that are not stored, or not completely, counted from 0; absent if it is the whole message.',
    ),
  leftOut: z
    .array(leftOut)
    .optional()
    .describe(
      'The first ten values that are not stored of readings whose other values are stored. A replay stores only these.',
    ),
  incomplete: refusal
    .omit({ index: true })
    .optional()
    .describe(
      'A part of the payload is missing: a replay would refuse the dead letter. A list does not know this of a payload over 2 MiB.',
    ),
  properties: z
    .record(z.string(), z.union([z.string(), z.array(z.string())]))
    .describe('MQTT 5 user properties.'),
});

/** A dead letter with its payload, or a range of it. */
export const fullDeadLetter = listedDeadLetter.extend({
  text: z.string().optional().describe('This range of the payload, if it is UTF-8 text.'),
  base64: z.string().describe('This range of the payload.'),
  offset: z.int().describe('Offset of this range in the payload, in bytes.'),
  nextOffset: z
    .int()
    .optional()
    .describe('Offset of the next range; absent in the last one, and before a missing part.'),
});

/** Outcome of a replay. The dead letter remains if anything is refused or left out. */
export const replayed = z.strictObject({
  stored: z.int().describe('Readings stored, now or before.'),
  ...notStored,
});

export function showListed(
  { receivedAt, properties, ...head }: DeadLetterHead,
  isIncomplete: boolean,
) {
  const { id, reason, detail, topic, bytes, indexes } = head;
  const detailCode = showDetailCode(head.detailCode, reason);
  return {
    ...{ id, reason, detail, topic, bytes },
    ...(detailCode && { detailCode }),
    receivedAt: new Date(receivedAt),
    properties: byName(properties),
    ...(indexes !== undefined && { indexes }),
    ...(head.leftOut !== undefined && { leftOut: head.leftOut.map(showLeftOut) }),
    ...(isIncomplete && { incomplete: refusalOf('dead-letter-incomplete') }),
  };
}

function showLeftOut({ detailCode, ...value }: LeftOutValue) {
  const shown = showDetailCode(detailCode, value.reason);
  return { ...value, ...(shown && { detailCode: shown }) };
}

/** @param range of the payload, which begins at `offset` */
export function showPiece(head: DeadLetterHead, { bytes, isCut }: PayloadRange, offset: number) {
  const text = textOf(bytes);
  const end = offset + bytes.length;
  return {
    ...showListed(head, isCut),
    ...(text !== undefined && { text }),
    base64: bytes.toString('base64'),
    offset,
    ...(end < head.bytes && !isCut && { nextOffset: end }),
  };
}

export function* showReplayed({ stored, refusals }: IngestResult, maxBytes: number) {
  return { stored, ...(yield* fittingRefusals(showRefusals(refusals), maxBytes)) };
}

export function notFound(id: string): Problem {
  return new Problem('dead-letter-not-found', `There is no dead letter ${id}.`);
}

/** User properties by name; a list if a name occurs more than once. */
function byName(properties: UserProperties): Record<string, string | string[]> {
  const names = Map.groupBy(properties, ([name]) => name);
  return Object.fromEntries(
    Array.from(names, ([name, pairs]) => {
      const values = pairs.map(([, value]) => value);
      return [
        name,
        values.length === 1 ? invariant(values[0], 'a group has at least one member') : values,
      ];
    }),
  );
}

/** A byte order mark is part of the payload. */
function textOf(payload: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(payload);
  } catch {
    return undefined;
  }
}

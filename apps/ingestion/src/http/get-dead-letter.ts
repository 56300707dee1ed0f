import { integerParameter, route } from '@engawa/http';
import { z } from 'zod';
import { deadLetterId, notFound, showPiece, fullDeadLetter } from './dead-letter-schemas.ts';
import { fittingPayload, maxRangeBytes, wholeCharacters } from './fitting-payload.ts';
import type { Route } from '@engawa/http';
import type { DeadLetters, PayloadRange } from '../dead-letters/dead-letters.ts';

/** Maximum bytes of payload in one response, which is in memory as bytes, text, base64 and JSON. */
const maxPieceBytes = 1024 * 1024;
/** Maximum size of an MQTT packet in bytes. */
const maxPayloadBytes = 268_435_455;

export const getDeadLetter = ({ deadLetters }: { deadLetters: DeadLetters }): Route =>
  route({
    method: 'get',
    path: '/v1/deadLetters/{id}',
    operationId: 'getDeadLetter',
    summary: 'A dead letter with its payload',
    description:
      'A payload that does not fit a page is returned in ranges; `nextOffset` of the response is the `offset` of the next range. A range ends before a missing part of the payload, and has `incomplete` and no `nextOffset`.',
    tags: ['deadLetters'],
    params: z.strictObject({ id: deadLetterId }),
    query: z.strictObject({
      offset: integerParameter({ minimum: 0, maximum: maxPayloadBytes })
        .prefault(0)
        .describe('Offset in the payload, in bytes.'),
    }),
    responses: { 200: { description: 'The dead letter.', schema: fullDeadLetter } },
    problems: ['dead-letter-not-found', 'table-throttled', 'table-unavailable'],
    handle: async ({ params: { id }, query: { offset }, budget: { maxBytes }, signal }) => {
      const found = await deadLetters.find(id, signal);
      if (found === undefined) throw notFound(id);
      const from = Math.min(offset, found.head.bytes);
      const piece = { from, to: from + Math.min(maxPieceBytes, maxRangeBytes(maxBytes)) };
      const range = await deadLetters.payload(found, piece, signal);
      if (range === undefined) throw notFound(id);
      const fitting = fittingRange(range, found.head.bytes - from, maxBytes);
      return { status: 200, body: showPiece(found.head, fitting, from) };
    },
  });

/** @param rest bytes of the payload from the beginning of the range on */
function fittingRange(range: PayloadRange, rest: number, maxBytes: number): PayloadRange {
  const fitting = fittingPayload(range.bytes, maxBytes);
  const isCut = range.isCut && fitting.length === range.bytes.length;
  const bytes = isCut || fitting.length === rest ? fitting : wholeCharacters(fitting);
  return { bytes, isCut };
}

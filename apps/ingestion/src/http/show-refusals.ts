import { fittingText } from '@engawa/http';
import { z } from 'zod';
import { leftOut, refusal } from '../refusals/refusal-schema.ts';
import { countLeftOut, countRefusals } from '../refusals/refusal.ts';
import type { JsonText, ResponseWork } from '@engawa/http';
import type { LeftOut, Refusal } from '../refusals/refusal.ts';

/** Maximum number of refused readings, and of left-out values, in a response. */
export const maxShown = 1000;

/** What is not stored of several readings. */
export const notStored = {
  refusedCount: z.int(),
  refused: z
    .array(refusal)
    .describe('At most 1,000 refused readings, by index, as many as fit a page.'),
  leftOutCount: z.int().describe('Values that are not stored, of readings that are stored.'),
  leftOut: z
    .array(leftOut)
    .describe(
      'At most 1,000 of these values, by reading, as many as fit a page; at most ten of a reading.',
    ),
};

/** The refusals of whole readings, and those of single values. */
export function showRefusals(refusals: readonly Refusal[]) {
  return {
    refusedCount: countRefusals(refusals),
    refused: refusals.filter(({ partial }) => partial === undefined).slice(0, maxShown),
    leftOutCount: countLeftOut(refusals),
    leftOut: refusals.flatMap(leftOutOf).slice(0, maxShown),
  };
}

/** The refusals that fit a page together, the refused readings first: at least one of each kind. */
export function* fittingRefusals(
  { refused, leftOut, ...counts }: ReturnType<typeof showRefusals>,
  maxBytes: number,
): ResponseWork<typeof counts & { refused: JsonText; leftOut: JsonText }> {
  const { text: first } = yield* fittingText(refused, maxBytes);
  const { text: second } = yield* fittingText(leftOut, maxBytes - Buffer.byteLength(first.text));
  return { ...counts, refused: first, leftOut: second };
}

function leftOutOf({ index, partial }: Refusal): (LeftOut & Pick<Refusal, 'index'>)[] {
  const named = partial?.leftOut.named ?? [];
  return index === undefined ? [...named] : named.map((value) => ({ index, ...value }));
}

import { fittingText, route } from '@engawa/http';
import { deadLetterReasons } from '@engawa/model';
import { z } from 'zod';
import { whyRefused } from '../refusals/why-refused.ts';
import { detailCodeField } from '../refusals/refusal-schema.ts';
import { deadLetterId, notFound } from './dead-letter-schemas.ts';
import { fieldsOutput } from './reading-schemas.ts';
import { fittingRefusals, notStored, showRefusals } from './show-refusals.ts';
import type { Route } from '@engawa/http';
import type { DeadLetterPreview } from '../intake/preview-dead-letter.ts';
import type { ReplayDeadLetterOptions } from './replay-dead-letter.ts';

/** Maximum number of readings in a response. */
const maxReadings = 1000;

const wouldBeStored = {
  readings: z
    .array(z.strictObject({ device: z.string(), time: z.iso.datetime(), fields: fieldsOutput }))
    .describe('At most 1,000 readings that a replay would store, as many as fit a page.'),
  stored: z.int().describe('Number of readings that a replay would store.'),
};

const { refusedCount, leftOutCount, leftOut } = notStored;
const counts = { refusedCount, leftOutCount, leftOut };

const preview = z
  .discriminatedUnion('outcome', [
    z.strictObject({ outcome: z.literal('stored'), ...wouldBeStored }),
    z.strictObject({
      outcome: z.literal('refused'),
      reason: z.enum(deadLetterReasons),
      detail: z.string(),
      detailCode: detailCodeField,
      indexes: z
        .array(z.int())
        .optional()
        .describe(
          'Indexes of the readings that are refused, or stored without some values; absent if it is the whole message.',
        ),
      ...counts,
      ...wouldBeStored,
    }),
  ])
  .meta({ id: 'DeadLetterPreview' });

export const previewDeadLetter = ({ deadLetters, work, timeout }: ReplayDeadLetterOptions): Route =>
  route({
    method: 'get',
    path: '/v1/deadLetters/{id}/preview',
    operationId: 'previewDeadLetter',
    summary: 'The outcome that a replay of a dead letter would have now',
    description:
      'Decodes and checks the dead letter as a replay does, with the current decoders and settings, and writes nothing. `refused` has the reason that the dead letter would have after the replay, which stores the readings listed all the same. A reading that the table rejects is found only by a replay.',
    tags: ['deadLetters'],
    params: z.strictObject({ id: deadLetterId }),
    responses: { 200: { description: 'The outcome.', schema: preview } },
    problems: ['dead-letter-not-found', 'table-throttled', 'table-unavailable', 'service-closing'],
    handle: async ({ params: { id }, budget, signal, work: response }) => {
      const waiting = timeout(signal);
      const found = await deadLetters.find(id, signal);
      if (found === undefined) throw notFound(id);
      const outcome = await work.preview(found, waiting, signal);
      if (outcome === undefined) throw notFound(id);
      return { status: 200, body: await response.run(showPreview(outcome, budget.maxBytes)) };
    },
  });

function* showPreview({ readings, refusals }: DeadLetterPreview, maxBytes: number) {
  const first = readings
    .slice(0, maxReadings)
    .map(({ device, time, fields }) => ({ device, time: new Date(time), fields }));
  const { text } = yield* fittingText(first, maxBytes);
  const shown = { readings: text, stored: readings.length };
  if (refusals.length === 0) return { outcome: 'stored' as const, ...shown };
  const rest = maxBytes - Buffer.byteLength(text.text);
  // The counts are of refused readings, too, which a preview does not list.
  const noted = { ...showRefusals(refusals), refused: [] };
  const { refusedCount, leftOutCount, leftOut } = yield* fittingRefusals(noted, rest);
  const { reason, detail, detailCode, indexes } = whyRefused(refusals);
  return {
    outcome: 'refused' as const,
    ...{ reason, detail, detailCode, refusedCount, leftOutCount, leftOut },
    ...(indexes && { indexes }),
    ...shown,
  };
}

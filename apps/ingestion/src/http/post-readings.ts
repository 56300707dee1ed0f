import { Problem } from '@engawa/errors';
import { route } from '@engawa/http';
import { deviceId } from '@engawa/model';
import { z } from 'zod';
import { ReadingsUpload } from './readings-upload.ts';
import { fittingRefusals, notStored } from './show-refusals.ts';
import { parseReadingJson } from '../decoders/reading-json.ts';
import { ArraySplitter, LineSplitter } from './split-json.ts';
import type { BodyStream, Route } from '@engawa/http';
import type { Semaphore } from '../concurrency/semaphore.ts';
import type { Ingest } from '../intake/device-readings.ts';
import type { MemoryShare } from '../intake/memory-budget.ts';
import type { UploadMetrics } from './upload-metrics.ts';
import type { TableTimeout } from './table-timeout.ts';

export interface PostReadingsOptions {
  /** @throws Problem until the service can store readings */
  ingest: () => Ingest;
  /** @throws Problem while the table is unavailable */
  timeout: (signal: AbortSignal) => TableTimeout;
  readingSlots: Semaphore;
  memory: MemoryShare;
  metrics: UploadMetrics;
}

/** Maximum size of a body in bytes. */
const maxBodyBytes = 10_000_000;

const ndjson = 'application/x-ndjson';

const reading = z
  .looseObject({
    device: z.string().optional().describe('Device of the reading, unless the query names it.'),
    ts: z
      .union([z.string(), z.number()])
      .optional()
      .describe(
        'Time of the reading: ISO 8601 with an offset, or epoch seconds or milliseconds. Without `ts`, `time` and `timestamp` are read.',
      ),
  })
  .describe(
    'Every other key is a field. A reading that has only `time`, `fields`, and optionally `device` and `cursor`, as in responses of the query service, has its fields in `fields`.',
  )
  .meta({ id: 'Reading' });

const description = [
  'A reading, an array of readings, or a reading per line (NDJSON), read as a stream. The response is sent when everything is durable.',
  '',
  'The status is 202 whenever the body can be read, even if all readings are refused: check `refused`. A value that cannot',
  'be stored is left out of its reading: check `leftOut`. Refused readings and values are not kept. If a body turns out not to be JSON (or to be too large) after its first readings, the response is a problem, and',
  'those readings are stored nevertheless. After a problem, or without a response, send the whole body again: a reading with',
  'a time is never stored twice. A reading without a time gets the time of its receipt.',
  '',
  'The time of a reading is the first of `ts`, `time` and `timestamp` that it has; the others are fields. A `time` or',
  '`timestamp` with only a time of day, such as `18:42`, or with an empty text, is a field. If it is no time otherwise,',
  'the reading is refused with `bad_time`: add `ts` to readings that have a field called `time`. NDJSON from the query service, its',
  'pages, and the `items` of them can be posted unchanged.',
].join('\n');

export const postReadings = ({ ingest, timeout, ...shared }: PostReadingsOptions): Route =>
  route({
    method: 'post',
    path: '/v1/readings',
    operationId: 'postReadings',
    summary: 'Store readings',
    description,
    tags: ['readings'],
    query: z.strictObject({
      device: deviceId
        .optional()
        .describe('Device of all readings; `device` in a reading is then a field like others.'),
    }),
    streamed: {
      types: { 'application/json': z.union([reading, z.array(reading)]), [ndjson]: reading },
      maxBytes: maxBodyBytes,
    },
    responses: {
      202: {
        description:
          'Number of stored readings, the refused ones, and the values that are left out of stored ones. Everything else is durable.',
        schema: z.strictObject({
          stored: z.int().describe('Readings stored, now or before.'),
          ...notStored,
        }),
      },
    },
    problems: ['table-throttled', 'table-unavailable', 'service-closing'],
    handle: async ({ query: { device }, stream, budget, signal, work }) => {
      const { readingSlots, memory, metrics } = shared;
      const limits = { readingSlots, memory, metrics, timeout: timeout(signal) };
      const upload = new ReadingsUpload({ ...limits, ingest: ingest(), signal, device });
      await split(stream, upload);
      const { stored, ...refusals } = await upload.finish();
      const shown = await work.run(fittingRefusals(refusals, budget.maxBytes));
      return { status: 202, body: { stored, ...shown } };
    },
  });

async function split({ type, chunks }: BodyStream, upload: ReadingsUpload): Promise<void> {
  const splitter = type === ndjson ? new LineSplitter() : new ArraySplitter();
  try {
    for await (const chunk of chunks) {
      for (const piece of splitter.push(chunk)) await upload.add(piece);
    }
    for (const piece of splitter.end()) {
      if (splitter instanceof ArraySplitter) checkSingle(piece.bytes);
      await upload.add(piece);
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    await upload.finish();
    throw notJson(error);
  }
}

/** A body that is not an array must be JSON as a whole: otherwise there are no separate readings in it. */
function checkSingle(bytes: Buffer | undefined): void {
  if (bytes !== undefined) parseReadingJson(bytes.toString());
}

function notJson(error: SyntaxError): Problem {
  const message = `must be JSON, or NDJSON sent as ${ndjson}: ${error.message.toWellFormed()}`;
  return new Problem('invalid-request', `body ${message}.`, {
    fieldErrors: [{ path: 'body', message }],
    cause: error,
  });
}

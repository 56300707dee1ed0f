import { Problem } from '@engawa/errors';
import { route } from '@engawa/http';
import { deviceId } from '@engawa/model';
import { z } from 'zod';
import { ReadingsUpload } from './readings-upload.ts';
import { refusal } from '../refusals/refusal-schema.ts';
import { ArraySplitter, LineSplitter } from './split-json.ts';
import type { BodyStream, Route } from '@engawa/http';
import type { Semaphore } from '../concurrency/semaphore.ts';
import type { Ingest } from '../intake/delivery.ts';
import type { MemoryShare } from '../intake/memory-budget.ts';
import type { UploadMetrics } from './upload-metrics.ts';
import type { TableTimeout } from './table-timeout.ts';

export interface PostReadingsOptions {
  /** @throws Problem until the service can store readings */
  ingest: () => Ingest;
  /** @throws Problem while the table is away */
  timeout: (signal: AbortSignal) => TableTimeout;
  budget: Semaphore;
  memory: MemoryShare;
  metrics: UploadMetrics;
}

/** Bytes. */
const maxBodyBytes = 10_000_000;

const ndjson = 'application/x-ndjson';

const reading = z
  .looseObject({
    device: z.string().optional().describe('Its device, unless the query names it.'),
    ts: z
      .union([z.string(), z.number()])
      .optional()
      .describe(
        'The time: ISO 8601 with an offset, or epoch seconds or milliseconds. `time` and `timestamp` are read, too, where there is no `ts`.',
      ),
  })
  .describe(
    'Every other key is a field. A reading of `time`, `fields` and perhaps `device` and `cursor` alone, as the query service answers it, has the fields inside `fields`.',
  )
  .meta({ id: 'Reading' });

const description = [
  'One reading, an array of them, or a reading a line (NDJSON), read as they come. The answer comes when everything is durable.',
  '',
  'The answer is 202 whenever the body can be read, even if all readings in it are refused: look at `refused`. What is',
  'refused is not kept. A body that turns out not to be JSON (or to be too large) after its first readings is answered with a',
  'problem, and those readings are stored all the same. After a problem, or no answer, send all of it again: a reading with',
  'a time is never stored twice. A reading without gets the time of its receipt.',
  '',
  'The time of a reading is the first of `ts`, `time` and `timestamp` that it has; the others are fields. If that is no time the',
  'reading is refused with `bad_time`: give `ts` beside a field that is called `time`. NDJSON from the query service, its',
  'pages, and the `items` of them, can be posted as they are.',
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
        .describe('The device of all readings; `device` in a reading is then a field like others.'),
    }),
    streamed: {
      types: { 'application/json': z.union([reading, z.array(reading)]), [ndjson]: reading },
      maxBytes: maxBodyBytes,
    },
    responses: {
      202: {
        description: 'What became of the readings; those that are not refused are durable.',
        schema: z.strictObject({
          stored: z.int().describe('Readings stored, or stored before already.'),
          refusedCount: z.int(),
          refused: z.array(refusal).describe('At most 1,000 of them, by place or line.'),
        }),
      },
    },
    problems: ['table-throttled', 'table-unavailable'],
    handle: async ({ query: { device }, stream, signal }) => {
      const { budget, memory, metrics } = shared;
      const limits = { budget, memory, metrics, timeout: timeout(signal) };
      const upload = new ReadingsUpload({ ...limits, ingest: ingest(), signal, device });
      await split(stream, upload);
      return { status: 202, body: await upload.finish() };
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

/** A body that is no array is JSON, or it is nothing: there is no reading in it that could be told apart. */
function checkSingle(bytes: Buffer | undefined): void {
  if (bytes !== undefined) JSON.parse(bytes.toString());
}

function notJson(error: SyntaxError): Problem {
  const message = `must be JSON, or NDJSON sent as ${ndjson}: ${error.message.toWellFormed()}`;
  return new Problem('invalid-request', `body ${message}.`, {
    fieldErrors: [{ path: 'body', message }],
    cause: error,
  });
}

import { Problem } from '@engawa/errors';
import { jsonLines } from './ndjson.ts';
import type { BodyStream } from '../route/body-stream.ts';
import type { JsonLine } from './ndjson.ts';

export const ndjson = 'application/x-ndjson';

/** Bytes of one entry; those of a body that is read whole; those of one that is not. */
const maxLineBytes = 1_000_000;
const maxJsonBytes = 1_000_000;
export const maxBulkBytes = 10_000_000;

/**
 * What is to be made, entry by entry: a line each of NDJSON, an element each of a JSON array (counted from 1 too), or the
 * one value that the body is. `parse` stands in place of JSON.parse.
 * @throws Problem `invalid-request`, `payload-too-large`
 */
export async function* jsonEntries(
  { type, chunks }: BodyStream,
  { parse = JSON.parse }: { parse?: (text: string) => unknown } = {},
): AsyncGenerator<JsonLine> {
  if (type === ndjson) {
    yield* jsonLines(chunks, { maxLineBytes, parse });
    return;
  }
  const value = parseWhole(await readWhole(chunks), parse);
  const entries: unknown[] = Array.isArray(value) ? value : [value];
  for (const [index, entry] of entries.entries()) yield { line: index + 1, value: entry };
}

async function readWhole(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxJsonBytes) {
      const detail = `A JSON body is at most ${maxJsonBytes} bytes; send more as ${ndjson}.`;
      throw new Problem('payload-too-large', detail);
    }
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}

/** RFC 8259 section 8.1: UTF-8, and a byte order mark may be ignored. */
function parseWhole(bytes: Buffer, parse: (text: string) => unknown): unknown {
  try {
    return parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    const message = `must be JSON in UTF-8, or NDJSON sent as ${ndjson}`;
    throw new Problem('invalid-request', `body ${message}.`, {
      fieldErrors: [{ path: 'body', message }],
      cause: error,
    });
  }
}

import { Problem } from '@engawa/errors';
import { jsonLines } from './ndjson.ts';
import type { BodyStream } from '../route/body-stream.ts';
import type { JsonLine } from './ndjson.ts';

export const ndjson = 'application/x-ndjson';

/** Limits of one NDJSON line, of a JSON body (read into memory), and of an NDJSON body (streamed). */
const maxLineBytes = 1_000_000;
const maxJsonBytes = 1_000_000;
export const maxBulkBytes = 10_000_000;

/**
 * Reads the entries of a bulk request: the lines of NDJSON, the elements of a JSON array (numbered
 * from 1 as well), or a single JSON value. `parse` replaces JSON.parse.
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
  const value = parseBody(await readAll(chunks), parse);
  const entries: unknown[] = Array.isArray(value) ? value : [value];
  for (const [index, entry] of entries.entries()) yield { line: index + 1, value: entry };
}

async function readAll(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxJsonBytes) {
      const detail = `A JSON body has at most ${maxJsonBytes} bytes; send a larger one as ${ndjson}.`;
      throw new Problem('payload-too-large', detail);
    }
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}

/** Parses JSON in UTF-8; a byte order mark is ignored (RFC 8259, section 8.1). */
function parseBody(bytes: Buffer, parse: (text: string) => unknown): unknown {
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

import { once } from 'node:events';
import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';

export const ndjson = 'application/x-ndjson';
export const csv = 'text/csv';

/** Rows as received, without their cursors. */
export interface Export {
  rows: string[];
  /** Number of transfers. */
  transfers: number;
}

interface Transfer {
  /** Complete rows, with the cursors of the rows that have one. */
  rows: { text: string; cursor: string | undefined }[];
  isComplete: boolean;
}

/**
 * An export by a client that resumes: after an interrupted transfer it keeps the rows up to the
 * last one with a cursor, and continues from there. Transfers are cut after a random number of
 * bytes, at most `longest`, `cuts` times.
 */
export async function cutExport(
  url: string,
  {
    accept,
    cuts,
    longest,
    random,
    between,
  }: {
    accept: string;
    cuts: number;
    longest: number;
    random: () => number;
    between?: () => Promise<void>;
  },
): Promise<Export> {
  const rows: string[] = [];
  let cursor: string | undefined;
  for (let transfers = 1; ; transfers++) {
    const next = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const bytes = transfers > cuts ? Infinity : Math.floor(random() * longest);
    const transfer = await take(`${url}&resumable=true${next}`, accept, bytes);
    if (transfer.isComplete) {
      return { rows: [...rows, ...transfer.rows.map(({ text }) => text)], transfers };
    }
    const end = transfer.rows.findLastIndex((row) => row.cursor !== undefined);
    rows.push(...transfer.rows.slice(0, end + 1).map(({ text }) => text));
    cursor = transfer.rows[end]?.cursor ?? cursor;
    await between?.();
  }
}

/** The part of a response that the client reads before it cuts the connection. */
async function take(url: string, accept: string, mostBytes: number): Promise<Transfer> {
  const request = get(url, { headers: { accept }, agent: false });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode}`);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, Math.max(0, mostBytes - bytes)));
      bytes += chunk.length;
      if (bytes > mostBytes) break; // which destroys the connection
    }
  } finally {
    request.destroy();
  }
  const text = Buffer.concat(chunks).toString();
  const isComplete = answer.complete && bytes <= mostBytes;
  return { rows: accept === ndjson ? linesOf(text) : recordsOf(text), isComplete };
}

function linesOf(text: string): Transfer['rows'] {
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { cursor, ...row } = JSON.parse(line) as { cursor?: string };
      return { text: JSON.stringify(row), cursor };
    });
}

/**
 * Of cells without commas and line breaks; the last cell of each is the cursor, and the first
 * record names the columns.
 */
function recordsOf(text: string): Transfer['rows'] {
  const whole = text.slice(0, Math.max(0, text.lastIndexOf('\r\n')));
  return whole
    .split('\r\n')
    .slice(1)
    .map((line) => {
      const end = line.lastIndexOf(',');
      const cursor = line.slice(end + 1);
      return { text: line.slice(0, end), cursor: cursor === '' ? undefined : cursor };
    });
}

import { pipeline } from 'node:stream/promises';
import type { ExchangeRequest, ExchangeResponse } from '../route/exchange.ts';
import { logFailure, statusOf, toProblem } from '../response/problem-response.ts';
import { costOf } from '../response/json-text.ts';
import { rowBatches, rowsOfBatch } from './row-batches.ts';
import type { ResponseWork } from '../work/client-turns.ts';
import type { ClientWork } from '../work/client-work.ts';
import type { ListRow, RowFormat } from './row-format.ts';

export interface SendRowsOptions {
  rows: AsyncIterable<ListRow>;
  format: RowFormat;
  request: ExchangeRequest;
  response: ExchangeResponse;
  work: ClientWork;
}

/**
 * Streams all rows as the response, with backpressure. An error before the first row rejects, and
 * nothing has been sent. A later error resets the connection: otherwise a truncated list would look
 * complete.
 */
export async function sendRows({
  rows,
  format,
  request,
  response,
  work,
}: SendRowsOptions): Promise<void> {
  const { exchange } = response.locals;
  const iterator = rows[Symbol.asyncIterator]();
  try {
    const first = await iterator.next();
    response.status(200).set('Content-Type', format.contentType);
    if (request.method === 'HEAD') {
      response.end();
      return;
    }
    closeWhenStalled(response);
    await pipeline(texts({ first, rest: iterator, format, response, work }), response);
  } catch (error) {
    if (!response.headersSent) throw error;
    if (exchange.clientDisconnected) exchange.log.debug('request cancelled by the client');
  } finally {
    // Not awaited: it may wait for a row that is being fetched and no longer needed.
    iterator.return?.().then(undefined, (error: unknown) => {
      exchange.log.warn({ err: error }, 'ending the Query of a cancelled response failed');
    });
  }
}

interface Texts {
  first: IteratorResult<ListRow>;
  rest: AsyncIterator<ListRow>;
  format: RowFormat;
  response: ExchangeResponse;
  work: ClientWork;
}

async function* texts({ first, rest, format, response, work }: Texts): AsyncGenerator<string> {
  if (format.head !== '') yield format.head;
  try {
    const size = { maxRows: 1 };
    for await (const batch of rowBatches(first, rest, size)) {
      const text = await work.run(formatted(batch, format));
      size.maxRows = rowsOfBatch(text.length / batch.length);
      yield text;
      // Otherwise the compressor would buffer the batch until it has more.
      response.flush();
    }
  } catch (error) {
    if (!response.locals.exchange.clientDisconnected) abortResponse(error, response);
    throw error;
  }
}

function* formatted(batch: readonly ListRow[], format: RowFormat): ResponseWork<string> {
  const text = format.text(batch);
  yield costOf(text);
  return text;
}

function abortResponse(error: unknown, response: ExchangeResponse): void {
  const { exchange } = response.locals;
  const problem = toProblem(error);
  exchange.abortedStatus = statusOf[problem.code];
  logFailure(problem, exchange.log, 'response aborted');
  // Reset, not closed: for an HTTP/1.0 client, a closed connection is a complete response.
  response.socket?.resetAndDestroy();
}

/** Closes an idle connection only where it waits for the client, not where it waits for rows. */
function closeWhenStalled(response: ExchangeResponse): void {
  response.on('timeout', () => {
    if (response.writableLength > 0) response.destroy();
  });
}

import { pipeline } from 'node:stream/promises';
import type { ExchangeRequest, ExchangeResponse } from '../route/exchange.ts';
import { logFailure, statusOf, toProblem } from '../response/problem-response.ts';
import { batches } from './row-batches.ts';
import type { ListRow, RowFormat } from './row-format.ts';

export interface SendRowsOptions {
  rows: AsyncIterable<ListRow>;
  format: RowFormat;
  request: ExchangeRequest;
  response: ExchangeResponse;
}

/**
 * Answers with all rows, no faster than the client takes them. What fails before the first row rejects, and nothing has
 * been answered; what fails later breaks the connection off, or half of a list would look like the whole.
 */
export async function sendRows({
  rows,
  format,
  request,
  response,
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
    endWhenStalled(response);
    await pipeline(texts({ first, rest: iterator, format, response }), response);
  } catch (error) {
    if (!response.headersSent) throw error;
    if (exchange.clientDisconnected) exchange.log.debug('request cancelled by the client');
  } finally {
    // Not awaited: it may wait for a row that is being fetched, and nobody else does any more.
    iterator.return?.().then(undefined, (error: unknown) => {
      exchange.log.warn({ err: error }, 'closing the row source failed');
    });
  }
}

interface Texts {
  first: IteratorResult<ListRow>;
  rest: AsyncIterator<ListRow>;
  format: RowFormat;
  response: ExchangeResponse;
}

async function* texts({ first, rest, format, response }: Texts): AsyncGenerator<string> {
  if (format.head !== '') yield format.head;
  try {
    for await (const batch of batches(first, rest)) {
      yield format.text(batch);
      // The compressor would keep it until it has more; by now it is written, since more is asked for.
      response.flush();
    }
  } catch (error) {
    if (!response.locals.exchange.clientDisconnected) breakOff(error, response);
    throw error;
  }
}

function breakOff(error: unknown, response: ExchangeResponse): void {
  const { exchange } = response.locals;
  const problem = toProblem(error);
  exchange.abortedStatus = statusOf[problem.code];
  logFailure(problem, exchange.log, 'answer broken off');
  // Reset, not just ended: to a client of HTTP/1.0 the end of the connection is the end of the answer.
  response.socket?.resetAndDestroy();
}

/** The server ends idle connections; one that waits for rows, and not for the client, is not idle. */
function endWhenStalled(response: ExchangeResponse): void {
  response.on('timeout', () => {
    if (response.writableLength > 0) response.destroy();
  });
}

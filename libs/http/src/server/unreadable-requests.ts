import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { Problem } from '@engawa/errors';
import { problemBody, problemType, statusOf } from '../response/problem-response.ts';
import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Milliseconds for a client to take the answer, and to stop sending. */
const lingerMs = 1000;

/**
 * Answers with a problem what is no request, so that it never becomes one: Node's own answer has a status and nothing else.
 * @param maxHeaderBytes what the server takes, to be named in the answer
 */
export function answerUnreadable(server: Server, maxHeaderBytes: number): void {
  const answers = new WeakMap<Duplex, ServerResponse>();
  const refused = new WeakSet<Duplex>();
  server.on('request', ({ socket }, response) => answers.set(socket, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (refused.has(socket)) return; // each further byte is one more error
    refused.add(socket);
    const answer = answers.get(socket);
    const hasBegun = answer !== undefined && answer.headersSent && !answer.writableFinished;
    if (hasBegun || !socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    socket.end(written(problemOf(error, maxHeaderBytes)));
    // Closed with bytes unread, the connection would be reset, and the answer lost.
    const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
    socket.once('close', () => clearTimeout(timer)).resume();
  });
}

function problemOf({ code }: NodeJS.ErrnoException, maxHeaderBytes: number): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW': {
      const detail = `Address and headers together are larger than ${maxHeaderBytes} bytes.`;
      return new Problem('headers-too-large', detail);
    }
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new Problem('payload-too-large', 'The chunk extensions of the body are too large.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('request-timeout', 'The request has not come in whole in time.');
    default:
      return new Problem('invalid-request', 'What was sent is not HTTP/1.1.');
  }
}

function written(problem: Problem): string {
  const requestId = randomUUID();
  const status = statusOf[problem.code];
  const body = JSON.stringify(problemBody(problem, requestId));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    `Content-Type: ${problemType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    `X-Request-Id: ${requestId}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

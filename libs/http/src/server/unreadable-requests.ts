import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { invariant, Problem } from '@engawa/errors';
import { problemBody, problemType, statusOf } from '../response/problem-response.ts';
import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Time for a client to read the response and to stop sending. */
const lingerMs = 1000;

/**
 * Responds with a problem to data that is not a valid HTTP request; Node's own response has a status only.
 * @param maxHeaderBytes maximum of the server, named in the response
 */
export function rejectUnreadable(server: Server, maxHeaderBytes: number): void {
  const responses = new WeakMap<Duplex, ServerResponse>();
  const refused = new WeakSet<Duplex>();
  server.on('request', ({ socket }, response) => responses.set(socket, response));
  server.on('checkExpectation', ({ headers }, response) => {
    const detail = `The header Expect: ${headers.expect ?? ''} is not supported; only 100-continue is.`;
    const { status, body, headers: own } = responseOf(new Problem('invalid-request', detail));
    response.writeHead(status, { ...own, Connection: 'close' }).end(body);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (refused.has(socket)) return; // each further byte causes another error
    refused.add(socket);
    const response = responses.get(socket);
    const hasBegun = response !== undefined && response.headersSent && !response.writableFinished;
    if (hasBegun || !socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    socket.end(serialized(problemOf(error, maxHeaderBytes)));
    // Closing with unread bytes would reset the connection, and the client could lose the response.
    const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
    socket.once('close', () => clearTimeout(timer)).resume();
  });
}

function problemOf({ code }: NodeJS.ErrnoException, maxHeaderBytes: number): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW': {
      const detail = `URL and headers together are larger than ${maxHeaderBytes} bytes.`;
      return new Problem('headers-too-large', detail);
    }
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new Problem('payload-too-large', 'The chunk extensions of the body are too large.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem(
        'request-timeout',
        'The client did not send the complete request in time.',
      );
    default:
      return new Problem('invalid-request', 'The data is not an HTTP/1.1 request.');
  }
}

function responseOf(problem: Problem) {
  const requestId = randomUUID();
  const body = JSON.stringify(problemBody(problem, requestId));
  const headers = {
    'Content-Type': problemType,
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
  };
  return { status: statusOf[problem.code], headers, body };
}

function serialized(problem: Problem): string {
  const { status, headers, body } = responseOf(problem);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const top = `HTTP/1.1 ${status} ${invariant(STATUS_CODES[status], 'each status of a problem has its phrase')}`;
  return [top, ...lines, 'Connection: close', '', body].join('\r\n');
}

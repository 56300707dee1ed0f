import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { OperatorError } from '@engawa/errors';
import { answerUnreadable } from './unreadable-requests.ts';
import type { Logger } from 'pino';

/**
 * Bytes of an address with its headers. Most of them are for 100 ids of 128 characters, each percent-encoded as
 * `%E5%B1%85` (UTF-8 has three bytes for it): 116,000. The rest is for a token and a cursor.
 */
const maxHeaderBytes = 160 * 1024;

/** Milliseconds for the head of a request. */
const usualHeadersTimeoutMs = 10_000;

/** Milliseconds. */
const timeouts = {
  /** For the whole request with its body; long, for uploads: what is read whole, and what is not read fast, ends sooner. */
  requestTimeout: 3_600_000,
  /** Longer than the 60 s of common load balancers, which must be the ones to close. */
  keepAliveTimeout: 65_000,
};

/**
 * Milliseconds after which a connection ends over which nothing moves, unless the service works on a request of it: an upload
 * into a throttled table may take minutes after its last byte.
 */
const idleTimeout = 60_000;

export interface Listening {
  address: string;
  port: number;
  /** Takes no more connections, ends the idle ones at once, and waits for running requests. */
  close(): Promise<void>;
}

export interface ListenOptions {
  app: RequestListener;
  host: string;
  port: number;
  /** The environment variable that sets the port, for the error when it cannot be had. */
  variable: string;
  log: Logger;
  /** Milliseconds. */
  idleTimeout?: number;
  headersTimeoutMs?: number;
}

/** @throws OperatorError when the address or the port cannot be had */
export async function listen(options: ListenOptions): Promise<Listening> {
  const { app, host, port, variable, log } = options;
  const { headersTimeoutMs = usualHeadersTimeoutMs } = options;
  const server = createServer(
    {
      ...timeouts,
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: headersTimeoutMs / 2,
      maxHeaderSize: maxHeaderBytes,
    },
    app,
  );
  answerUnreadable(server, maxHeaderBytes);
  const endConnections = trackConnections(server, options.idleTimeout ?? idleTimeout);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explain(error, options)));
    server.listen({ host, port }, resolve);
  });
  const bound = server.address() as AddressInfo; // a TCP server's, while it listens
  log.info({ address: bound.address, port: bound.port, variable }, 'listening');
  return {
    address: bound.address,
    port: bound.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        endConnections();
      }),
  };
}

/**
 * Node's own close leaves open, for as long as their timeouts, connections that have not asked yet
 * and those whose running request ends after it. Gives a function that ends each when it is idle.
 */
function trackConnections(server: Server, idleTimeoutMs: number): () => void {
  const running = new Map<Socket, number>();
  let ending = false;
  const count = (socket: Socket, change: number) => {
    const requests = (running.get(socket) ?? 0) + change;
    running.set(socket, requests);
    if (ending && requests === 0) socket.destroySoon();
  };
  server.on('connection', (socket) => {
    running.set(socket, 0);
    socket.once('close', () => running.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    count(socket, 1);
    response.once('close', () => {
      if (running.has(socket)) count(socket, -1);
    });
  });
  server.setTimeout(idleTimeoutMs, (socket: Socket) => {
    // What waits in the socket, the client does not take; slow bodies end elsewhere (watchTransfer).
    const isWorking = (running.get(socket) ?? 0) > 0 && socket.writableLength === 0;
    if (isWorking) socket.setTimeout(idleTimeoutMs);
    else socket.destroy();
  });
  return () => {
    ending = true;
    for (const socket of running.keys()) count(socket, 0);
  };
}

function explain(error: NodeJS.ErrnoException, { host, port, variable }: ListenOptions): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return operator(`port ${port} on ${host} is already in use; set ${variable} to another`);
    case 'EACCES':
      return operator(`port ${port} on ${host} is not permitted; set ${variable} to one over 1023`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return operator(`${host} is no address of this machine; set HOST to one, such as 127.0.0.1`);
    default:
      return error;
  }
  function operator(message: string) {
    return new OperatorError(message, { cause: error });
  }
}

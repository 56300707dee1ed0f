import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '@engawa/errors';
import { Connections } from './connections.ts';
import { rejectUnreadable } from './unreadable-requests.ts';
import type { Logger } from 'pino';

/**
 * Maximum size of URL and headers. 100 ids of 128 characters take 116,000 bytes, with each character percent-encoded as
 * `%E5%B1%85` (three bytes of UTF-8). The rest is for a token and a cursor.
 */
const maxHeaderBytes = 160 * 1024;

/** Timeout of the request headers. */
const defaultHeadersTimeoutMs = 10_000;

/** Milliseconds. */
const timeouts = {
  /** For a whole request with its body. Long, for streamed uploads; slow clients and JSON bodies are ended sooner. */
  requestTimeout: 3_600_000,
  /** Longer than the 60 s of common load balancers, so that they close connections, not the server. */
  keepAliveTimeout: 65_000,
};

export interface HttpListener {
  address: string;
  port: number;
  /**
   * Keeps serving for `drainMs`, with `Connection: close` in each response, so that clients connect
   * to another replica. Then accepts no more connections and closes the idle ones.
   */
  drain(drainMs: number): Promise<void>;
  /** Accepts no more connections, closes the idle ones immediately, and waits for requests in progress. */
  close(): Promise<void>;
}

export interface ListenOptions {
  app: RequestListener;
  host: string;
  port: number;
  /** The environment variable of the port, for error messages. */
  variable: string;
  log: Logger;
  idleTimeoutMs?: number;
  headersTimeoutMs?: number;
  /**
   * Age above which a connection closes after its next response; 0 disables it. Without it, clients
   * with long-lived connections never connect to new replicas.
   */
  maxConnectionAgeMs?: number;
}

/** Starts an HTTP server. @throws OperatorError where the address or the port is not available */
export async function listen(options: ListenOptions): Promise<HttpListener> {
  const { app, host, port, variable, log } = options;
  const { headersTimeoutMs = defaultHeadersTimeoutMs } = options;
  const server = createServer(
    {
      ...timeouts,
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: headersTimeoutMs / 2,
      maxHeaderSize: maxHeaderBytes,
      // The app responds with a problem instead.
      requireHostHeader: false,
    },
    app,
  );
  rejectUnreadable(server, maxHeaderBytes);
  const connections = new Connections(server, options);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explain(error, options)));
    server.listen({ host, port }, resolve);
  });
  const bound = server.address() as AddressInfo; // a TCP server's, while it listens
  log.info({ address: bound.address, port: bound.port, variable }, 'listening');
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= new Promise((resolve) => server.close(() => resolve()));
    connections.end();
    return stopped;
  };
  return {
    address: bound.address,
    port: bound.port,
    drain: async (drainMs) => {
      connections.announceEnd();
      if (drainMs > 0) await sleep(drainMs, undefined, { ref: false });
      void stop();
    },
    close: stop,
  };
}

function explain(error: NodeJS.ErrnoException, { host, port, variable }: ListenOptions): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return operator(`port ${port} on ${host} is already in use; set ${variable} to another`);
    case 'EACCES':
      return operator(
        `port ${port} on ${host} needs more privileges; set ${variable} to a port above 1023`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return operator(
        `${host} is not an address of this machine; set HOST to one, such as 127.0.0.1`,
      );
    default:
      return error;
  }
  function operator(message: string) {
    return new OperatorError(message, { cause: error });
  }
}

import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '@engawa/errors';
import { Connections } from './connections.ts';
import { answerUnreadable } from './unreadable-requests.ts';
import type { Logger } from 'pino';

/**
 * Bytes of an address with its headers. Most of them are for 100 ids of 128 characters, each percent-encoded as
 * `%E5%B1%85` (UTF-8 has three bytes for it): 116,000. The rest is for a token and a cursor.
 */
const maxHeaderBytes = 160 * 1024;

/** Milliseconds for the head of a request. */
const defaultHeadersTimeoutMs = 10_000;

/** Milliseconds. */
const timeouts = {
  /** For the whole request with its body; long, for uploads: what is read whole, and what is not read fast, ends sooner. */
  requestTimeout: 3_600_000,
  /** Longer than the 60 s of common load balancers, which must be the ones to close. */
  keepAliveTimeout: 65_000,
};

export interface HttpListener {
  address: string;
  port: number;
  /**
   * Answers for `drainMs` as before, and announces with each answer that its connection closes, so that clients open the next one
   * to another replica. Then takes no more connections and ends the idle ones.
   */
  drain(drainMs: number): Promise<void>;
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
  idleTimeoutMs?: number;
  headersTimeoutMs?: number;
  /**
   * A connection that is older closes with its next answer; 0 never does. Without it, clients that keep connections stay with the
   * replicas that they found first.
   */
  maxConnectionAgeMs?: number;
}

/** @throws OperatorError when the address or the port cannot be had */
export async function listen(options: ListenOptions): Promise<HttpListener> {
  const { app, host, port, variable, log } = options;
  const { headersTimeoutMs = defaultHeadersTimeoutMs } = options;
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

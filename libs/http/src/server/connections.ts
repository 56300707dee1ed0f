import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionLimits {
  /** Idle time after which a connection is closed; 60,000 by default. */
  idleTimeoutMs?: number;
  /** Age above which a connection closes after its next response. 0 or undefined: never. */
  maxConnectionAgeMs?: number;
}

const defaultIdleTimeoutMs = 60_000;

/** Random part of the maximum age, so that connections opened together do not close together. */
const ageJitter = 0.2;

interface Connection {
  /** Responses in progress. */
  responses: Set<ServerResponse>;
  /** Monotonic milliseconds. */
  closesAfter: number;
}

/**
 * The connections of a server, with idle timeout, maximum age and graceful end. Node's own close
 * leaves connections open until their timeout where they have no request yet, or where their
 * request ends after it.
 */
export class Connections {
  readonly #open = new Map<Socket, Connection>();
  readonly #maxAgeMs: number;
  #endIsAnnounced = false;
  #isEnding = false;

  constructor(server: Server, limits: ConnectionLimits) {
    this.#maxAgeMs = (limits.maxConnectionAgeMs ?? 0) || Infinity;
    server.on('connection', (socket) => this.#add(socket));
    // Before the application, which may respond synchronously.
    server.prependListener('request', ({ socket }, response) => this.#begin(socket, response));
    this.#endWhenIdle(server, limits.idleTimeoutMs ?? defaultIdleTimeoutMs);
  }

  /** From now on each response has `Connection: close` (RFC 9112, 9.6). */
  announceEnd(): void {
    this.#endIsAnnounced = true;
    for (const { responses } of this.#open.values()) {
      for (const response of responses) response.shouldKeepAlive = false;
    }
  }

  /** Closes idle connections immediately, and each other connection after its response. */
  end(): void {
    this.announceEnd();
    this.#isEnding = true;
    for (const [socket, { responses }] of this.#open) {
      if (responses.size === 0) socket.destroySoon();
    }
  }

  #add(socket: Socket): void {
    const maxAge = this.#maxAgeMs * (1 - ageJitter * Math.random());
    this.#open.set(socket, { responses: new Set(), closesAfter: performance.now() + maxAge });
    socket.once('close', () => this.#open.delete(socket));
  }

  #begin(socket: Socket, response: ServerResponse): void {
    const connection = this.#open.get(socket);
    if (connection === undefined) return;
    const { responses, closesAfter } = connection;
    responses.add(response);
    if (this.#endIsAnnounced || performance.now() > closesAfter) response.shouldKeepAlive = false;
    response.once('close', () => {
      responses.delete(response);
      if (this.#isEnding && responses.size === 0) socket.destroySoon();
    });
  }

  /**
   * Closes an idle connection, unless the service is working on a request of it: an upload into a
   * throttled table may take minutes after its last byte. Unsent bytes in the socket mean that the
   * client does not read. Slow bodies are ended by watch-transfer.ts.
   */
  #endWhenIdle(server: Server, idleTimeoutMs: number): void {
    server.setTimeout(idleTimeoutMs, (socket: Socket) => {
      const requests = this.#open.get(socket)?.responses.size ?? 0;
      const isWorking = requests > 0 && socket.writableLength === 0;
      if (isWorking) socket.setTimeout(idleTimeoutMs);
      else socket.destroy();
    });
  }
}

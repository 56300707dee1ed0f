import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionLimits {
  /** Milliseconds after which a connection ends over which nothing moves; 60,000 where it is not given. */
  idleTimeoutMs?: number;
  /** Milliseconds; a connection that is older closes with its next answer. 0, or none: never. */
  maxConnectionAgeMs?: number;
}

const defaultIdleTimeoutMs = 60_000;

/** Share of the maximum age that is left to chance, so that connections of one moment do not end in one moment. */
const ageJitter = 0.2;

interface Connection {
  /** Of requests that are worked on. */
  responses: Set<ServerResponse>;
  /** Monotonic milliseconds. */
  closesAfter: number;
}

/**
 * The connections of a server, and when each of them ends. Node's own close leaves open, for as long as their timeouts,
 * connections that have not asked yet and those whose running request ends after it.
 */
export class Connections {
  readonly #open = new Map<Socket, Connection>();
  readonly #maxAgeMs: number;
  #endIsAnnounced = false;
  #isEnding = false;

  constructor(server: Server, limits: ConnectionLimits) {
    this.#maxAgeMs = (limits.maxConnectionAgeMs ?? 0) || Infinity;
    server.on('connection', (socket) => this.#add(socket));
    // Before the application, which may answer at once.
    server.prependListener('request', ({ socket }, response) => this.#begin(socket, response));
    this.#endWhenIdle(server, limits.idleTimeoutMs ?? defaultIdleTimeoutMs);
  }

  /** From now on each answer says that its connection closes: `Connection: close` (RFC 9112, 9.6). */
  announceEnd(): void {
    this.#endIsAnnounced = true;
    for (const { responses } of this.#open.values()) {
      for (const response of responses) response.shouldKeepAlive = false;
    }
  }

  /** Ends the idle ones at once, and each of the others after its answer. */
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
   * Ends a connection over which nothing moves, unless the service works on a request of it: an upload into a throttled table may
   * take minutes after its last byte. What waits in the socket, the client does not take; slow bodies end elsewhere
   * (watch-transfer.ts).
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

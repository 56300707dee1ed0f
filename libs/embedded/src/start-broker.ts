import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { OperatorError } from '@engawa/errors';
import { Aedes } from 'aedes';
import { Sessions } from './sessions.ts';

/**
 * Milliseconds after which the broker disconnects a client that does not read: longer than an ingestion service with a
 * full window waits for a slow table.
 */
const drainTimeoutMs = 300_000;

/**
 * Messages that the broker delivers concurrently. With a limit its dispatcher (mqemitter 7.1) queues the others and
 * works through them recursively: a few thousand small messages without a subscription in one read overflow the stack.
 */
const unlimited = 0;

export interface Broker {
  url: string;
  port: number;
  close(): Promise<void>;
}

/**
 * Starts an MQTT 3.1.1 broker inside this process, on loopback. Sessions are kept in memory, so they outlive
 * connections but not the process. `port` 0 or absent selects a free one. Rejects with an OperatorError if the port is
 * in use.
 */
export async function startBroker({ port = 0 }: { port?: number } = {}): Promise<Broker> {
  const sessions = new Sessions();
  const { persistence, authorizeForward } = sessions;
  const aedes = await Aedes.createBroker({
    persistence,
    authorizeForward,
    drainTimeout: drainTimeoutMs,
    concurrency: unlimited,
  });
  sessions.follow(aedes);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    socket.setNoDelay(true);
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    aedes.handle(socket);
  });
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    aedes.close();
    throw asOperatorError(error, port);
  }
  const address = server.address() as AddressInfo;
  return {
    url: `mqtt://127.0.0.1:${address.port}`,
    port: address.port,
    close: async () => {
      const closed = promisify(server.close.bind(server))();
      await promisify(aedes.close.bind(aedes))();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function asOperatorError(error: unknown, port: number): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const reason =
    code === 'EADDRINUSE'
      ? 'is already in use'
      : code === 'EACCES'
        ? 'may not be opened by this user'
        : undefined;
  return reason === undefined
    ? error
    : new OperatorError(`port ${port} on 127.0.0.1 ${reason}`, { cause: error });
}

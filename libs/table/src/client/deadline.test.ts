import { once } from 'node:events';
import { Agent } from 'node:http';
import { createServer } from 'node:net';
import { until } from '@engawa/testing';
import { limitConnecting } from './deadline-handler.ts';
import { startDeadline } from './deadline.ts';
import type { AddressInfo, Socket } from 'node:net';

/** Blocks the event loop, like a long task or a CPU quota. */
function stopProcess(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

const turns = (count: number) =>
  Array.from({ length: count }).reduce<Promise<unknown>>(
    (before) => before.then(() => new Promise(setImmediate)),
    Promise.resolve(),
  );

describe('a deadline', () => {
  it('expires once, unless it is cancelled', async () => {
    const expired: string[] = [];
    const cancel = startDeadline(10, () => expired.push('cancelled'));
    startDeadline(20, () => expired.push('first'));
    startDeadline(60, () => expired.push('second'));
    cancel();
    await until('the second', () => expired.includes('second'));
    expect(expired).toEqual(['first', 'second']);
  });

  it('counts a pause of the process as one timer tick', async () => {
    let expired = 0;
    const cancel = startDeadline(100, () => (expired += 1));
    stopProcess(300);
    // Each pause may contain one tick.
    await turns(3);
    expect(expired).toBe(0);
    cancel();
  });
});

describe('a socket of an agent', () => {
  const agent = limitConnecting(new Agent(), 20);
  /** Rejects when the socket is closed; the name server never responds. */
  const connectNowhere = () => {
    const socket = agent.createConnection({ host: 'nowhere', port: 1, lookup: () => undefined });
    return once(socket as Socket, 'connect');
  };

  it('is closed when it is not connected in time', async () => {
    await expect(connectNowhere()).rejects.toMatchObject({
      name: 'TimeoutError',
      code: 'ETIMEDOUT',
    });
  });

  it('stays open when it is connected', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const socket = agent.createConnection({ host: '127.0.0.1', port }) as Socket;
    await once(socket, 'connect');
    await expect(connectNowhere()).rejects.toThrow();
    expect(socket.destroyed).toBe(false);
    socket.destroy();
    server.close();
  });
});

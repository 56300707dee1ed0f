import { once } from 'node:events';
import { createServer } from 'node:net';
import { Broker } from '../../../src/broker/index.ts';
import { Random } from '../../../src/kernel/random.ts';
import type { AddressInfo, Socket } from 'node:net';
import type { BrokerProfile } from '../../../src/broker/index.ts';
import type { World } from '../../../src/kernel/world.ts';

const realTime: World = {
  now: () => performance.now(),
  random: new Random(1),
  schedule: (delayMs, _label, run) => {
    const timer = setTimeout(run, delayMs).unref();
    return { cancel: () => clearTimeout(timer) };
  },
};

/** Starts the simulated broker in real time on a TCP port, for clients that open their own sockets. */
export async function startRealTimeBroker(profile: BrokerProfile) {
  const broker = new Broker({ world: realTime, profile });
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    broker.accept(socket.setNoDelay());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    broker,
    url: `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

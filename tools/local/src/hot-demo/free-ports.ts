import { once } from 'node:events';
import { createServer } from 'node:net';
import { defaultPorts } from '../addresses.ts';
import type { AddressInfo } from 'node:net';
import type { Ports } from '../addresses.ts';

/** A free port for everything, so that the demo gets in nobody's way. All at once, or one could be given twice. */
export async function findFreePorts(): Promise<Ports> {
  const names = Object.keys(defaultPorts);
  const servers = names.map(() => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(
    servers.map(async (server) => {
      const closed = once(server, 'close');
      server.close();
      await closed;
    }),
  );
  return Object.fromEntries(names.map((name, index) => [name, ports[index] ?? 0])) as Ports;
}

import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Range of ports: above the last port that `fetch` blocks (10080, https://fetch.spec.whatwg.org/#port-blocking), and
 * below the ephemeral ports of outgoing connections (from 32768 on, ip_local_port_range in ip(7)), one of which could
 * occupy a port before the server listens.
 */
const range = [10_081, 32_000] as const;

/** Whether a server can currently listen on a TCP port of 127.0.0.1. */
export async function isPortFree(port: number): Promise<boolean> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}

/**
 * An unused TCP port of 127.0.0.1. On Linux no later call, of this or of any other process, returns the same port while
 * this process runs: tests and benches that start many servers at once would otherwise take each other's ports between
 * the choice and the moment when the server listens. Elsewhere another process may take the port first.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...range);
    if ((await reserve(port)) && (await isPortFree(port))) return port;
  }
}

/**
 * Reserves a port with an abstract Unix socket of its number, which the kernel removes when the process ends, even by
 * SIGKILL (unix(7), "abstract"). False if the port has been reserved before.
 */
async function reserve(port: number): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  const reservation = createServer().listen(`\0engawa-port-${port}`);
  reservation.unref();
  try {
    await once(reservation, 'listening');
    return true;
  } catch {
    return false;
  }
}

/** This many different free ports. */
export async function findFreePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await findFreePort());
  return [...ports];
}

import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * From and to: above the last port that `fetch` refuses (10080,
 * https://fetch.spec.whatwg.org/#port-blocking), and below those that the kernel gives to outgoing
 * connections (from 32768 on, ip_local_port_range in ip(7)). Among thousands of those, one may take
 * a port before the server does that it is for.
 */
const range = [10_081, 32_000] as const;

/** Whether a TCP port of 127.0.0.1 can be listened on at this moment. */
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

/** A TCP port of 127.0.0.1 that nothing listens on; somebody may take it before you do. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...range);
    if (await isPortFree(port)) return port;
  }
}

/** The same, so many, and none of them twice. */
export async function findFreePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await findFreePort());
  return [...ports];
}

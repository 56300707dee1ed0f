import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** Whether a TCP port of 127.0.0.1 can be listened on at this moment. */
export async function isPortFree(port: number): Promise<boolean> {
  return (await tryPort(port)) !== undefined;
}

/** A TCP port of 127.0.0.1 that nothing listens on; somebody may take it before you do. */
export async function findFreePort(): Promise<number> {
  const port = await tryPort(0);
  if (port === undefined) throw new Error('no free port on 127.0.0.1');
  return port;
}

async function tryPort(port: number): Promise<number | undefined> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return undefined;
  }
  const address = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return address.port;
}

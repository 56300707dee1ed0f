import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server in the place of a service. @param host an address of this machine */
export async function startService(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  { host = '127.0.0.1', port = 0 } = {},
) {
  const server = createServer(answer).listen(port, host);
  await once(server, 'listening');
  const bound = server.address() as AddressInfo;
  return {
    port: bound.port,
    url: `http://${host}:${bound.port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

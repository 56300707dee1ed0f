import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** An HTTP proxy for CONNECT (RFC 9110, section 9.3.6) that connects every host to one port of this machine. */
export class ConnectProxy {
  /** The hosts to which clients were connected. */
  readonly hosts = new Set<string>();
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  /** @param target port of the server behind it */
  static async start(target: number): Promise<ConnectProxy> {
    const proxy = new ConnectProxy(target);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  private constructor(target: number) {
    this.#server = createServer((_request, response) => void response.writeHead(405).end());
    this.#server.on('connect', ({ url = '' }, client: Socket) => {
      const upstream = connect(target, '127.0.0.1', () => {
        this.hosts.add(url.replace(/:\d+$/, ''));
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        client.pipe(upstream).pipe(client);
      });
      for (const socket of [client, upstream]) {
        this.#sockets.add(socket);
        socket.on('error', () => {
          upstream.destroy();
          client.destroy();
        });
      }
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** Forwards TCP connections to a service. Its address exists before the service starts, and stays when it restarts. */
export class Relay {
  /** Number of connections; equal to the requests if each has its own connection. */
  connections = 0;
  /** URL of the service; while it is undefined, connections are closed. */
  target: string | undefined;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  static async open(): Promise<Relay> {
    const relay = new Relay();
    relay.#server.listen(0, '127.0.0.1');
    await once(relay.#server, 'listening');
    return relay;
  }

  private constructor() {
    this.#server = createServer((client) => this.#pass(client));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #pass(client: Socket): void {
    this.connections += 1;
    this.#watch(client);
    if (this.target === undefined) {
      client.destroy();
      return;
    }
    const { hostname, port } = new URL(this.target);
    const service = connect(Number(port), hostname);
    this.#watch(service);
    client.pipe(service).pipe(client);
    client.on('close', () => service.destroy());
    service.on('close', () => client.destroy());
  }

  #watch(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket)).on('error', () => undefined);
  }
}

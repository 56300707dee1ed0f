import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A network that breaks: passes on TCP connections, stops one in the middle of a response, and then resets it. */
export class CuttingRelay {
  readonly url: string;
  readonly #close: () => void;
  #stopped: Socket | undefined;
  #isCut = false;
  /** Bytes of the responses to matching requests. */
  readonly #sizes: number[] = [];

  private constructor(port: number, close: () => void) {
    this.url = `http://127.0.0.1:${port}`;
    this.#close = close;
  }

  /** Stops the second response to a matching request after this part of the size of the first. */
  static async start(target: string, matches: RegExp, part: number): Promise<CuttingRelay> {
    const sockets = new Set<Socket>();
    const server = createServer((client) => {
      const upstream = connect(Number(new URL(target).port), '127.0.0.1');
      relay.#pass(client, upstream, { matches, part });
      for (const socket of [client, upstream]) {
        sockets.add(socket);
        socket.on('error', () => undefined);
      }
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const relay = new CuttingRelay(port, () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    });
    return relay;
  }

  /** Resets the connection where it stops: a browser drops what a page has not read by then. */
  cut(): void {
    this.#isCut = true;
    this.#stopped?.resetAndDestroy();
  }

  close(): void {
    this.#close();
  }

  #pass(client: Socket, upstream: Socket, { matches, part }: { matches: RegExp; part: number }) {
    let current = -1;
    client.on('data', (data) => {
      if (/^(GET|POST|PUT|DELETE) /.test(data.toString('latin1'))) current = -1;
      if (matches.test(data.toString('latin1'))) current = this.#sizes.push(0) - 1;
      upstream.write(data);
    });
    upstream.on('data', (data) => {
      const limit = current === 1 ? (this.#sizes[0] ?? 0) * part : Infinity;
      const before = this.#sizes[current] ?? 0;
      if (current >= 0) this.#sizes[current] = before + data.length;
      if (before + data.length <= limit) {
        client.write(data);
        return;
      }
      upstream.pause();
      client.write(data.subarray(0, Math.max(0, limit - before)), () => {
        this.#stopped = client;
        if (this.#isCut) this.cut();
      });
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.end());
  }
}

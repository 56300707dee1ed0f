import { connect } from 'node:net';
import type { Socket } from 'node:net';

/** A client that writes arbitrary bytes, at any speed. */
export class RawClient {
  readonly socket: Socket;
  #received = '';
  #timer: NodeJS.Timeout | undefined;

  /** @param localAddress any of 127.0.0.0/8: each counts as another client */
  constructor(url: string, localAddress = '127.0.0.1') {
    const { port, hostname } = new URL(url);
    this.socket = connect({ port: Number(port), host: hostname, localAddress });
    this.socket.on('error', () => undefined); // the server closes the connection first
  }

  /** All bytes that the server has sent. */
  get received(): string {
    return this.#received;
  }

  /** Whether the server has ended the connection. */
  get isClosed(): boolean {
    return this.socket.readableEnded || this.socket.closed;
  }

  read(): this {
    this.socket.on('data', (bytes: Buffer) => (this.#received += bytes.toString('latin1')));
    return this;
  }

  write(...pieces: (string | Buffer)[]): this {
    for (const piece of pieces) this.socket.write(piece);
    return this;
  }

  /** Sends a piece every few milliseconds until the connection ends. */
  trickle(piece: string | Buffer): this {
    this.#timer = setInterval(() => this.socket.writable && this.socket.write(piece), 5);
    this.socket.once('close', () => clearInterval(this.#timer));
    return this;
  }

  close(): void {
    clearInterval(this.#timer);
    this.socket.destroy();
  }
}

export function head(method: string, path: string, headers: Record<string, string>): string {
  const lines = Object.entries({ host: 'x', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return [`${method} ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n');
}

/** A chunk of a body with `transfer-encoding: chunked`. */
export function chunk(bytes: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`${bytes.length.toString(16)}\r\n`),
    bytes,
    Buffer.from('\r\n'),
  ]);
}

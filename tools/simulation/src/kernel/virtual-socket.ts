import { Duplex } from 'node:stream';
import { scheduleHere } from './current-world.ts';
import { virtualTimers } from './virtual-timers.ts';

type Callback = (error?: Error | null) => void;

/** A socket's channel to the other end of its connection. */
export interface Link {
  /** `null` ends the stream. `taken` is called after the other end has received the chunk. */
  send(chunk: Buffer | null, taken: () => void): void;
  /** Tells the other end that this end was closed. */
  closed(isReset: boolean): void;
}

/** One end of a connection in memory, with the behaviour of `net.Socket`. */
export class VirtualSocket extends Duplex {
  readonly localAddress: string;
  readonly localPort: number;
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localFamily = 'IPv4';
  readonly remoteFamily = 'IPv4';
  readonly encrypted = false;
  /** The process at the other end, of a socket that a server has accepted. */
  peer: symbol | undefined;
  connecting = false;
  timeout = 0;
  bytesRead = 0;
  bytesWritten = 0;
  /** The HTTP parser that `node:http` attaches. */
  parser?: { close: () => void } | null;
  #link: Link | undefined;
  #idle: ReturnType<typeof virtualTimers.setTimeout> | undefined;

  constructor(local: { address: string; port: number }, remote: { address: string; port: number }) {
    super({ allowHalfOpen: false });
    this.localAddress = local.address;
    this.localPort = local.port;
    this.remoteAddress = remote.address;
    this.remotePort = remote.port;
  }

  get pending(): boolean {
    return this.#link === undefined;
  }

  get readyState(): string {
    if (this.connecting) return 'opening';
    return this.destroyed ? 'closed' : 'open';
  }

  get bufferSize(): number {
    return this.writableLength;
  }

  /** Links the socket to the other end. */
  attach(link: Link): void {
    this.#link = link;
    this.#touch();
  }

  /** Links the socket, and emits `connect`. */
  connected(link: Link): void {
    this.attach(link);
    this.connecting = false;
    this.emit('connect');
    this.emit('ready');
  }

  /** Receives bytes from the other end. */
  receive(chunk: Buffer | null): void {
    if (this.destroyed || this.readableEnded) return;
    this.#touch();
    this.bytesRead += chunk?.length ?? 0;
    this.push(chunk);
  }

  /** Ends the connection like a TCP reset (RST). */
  reset(code = 'ECONNRESET'): void {
    if (this.destroyed) return;
    this.destroy(Object.assign(new Error(`read ${code}`), { code, syscall: 'read' }));
  }

  /** Frees the memory that Node.js would keep for the parser of a socket that is never closed. */
  releaseParser(): void {
    this.parser?.close();
    this.parser = null;
  }

  setTimeout(timeoutMs: number, callback?: () => void): this {
    this.timeout = timeoutMs;
    if (callback !== undefined) {
      if (timeoutMs === 0) this.removeListener('timeout', callback);
      else this.once('timeout', callback);
    }
    this.#touch();
    return this;
  }

  destroySoon(): void {
    if (this.writable) this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', () => this.destroy());
  }

  resetAndDestroy(): this {
    this.destroy(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
    return this;
  }

  address(): { address: string; port: number; family: string } {
    return { address: this.localAddress, port: this.localPort, family: this.localFamily };
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override _read(): void {
    // `receive` pushes bytes at once.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: Callback): void {
    this.#whenConnected((link) => {
      this.#touch();
      this.bytesWritten += chunk.length;
      link.send(chunk, () => callback());
    }, callback);
  }

  override _final(callback: Callback): void {
    this.#whenConnected((link) => link.send(null, () => callback()), callback);
  }

  override _destroy(error: Error | null, callback: Callback): void {
    this.#idle?.close();
    this.connecting = false;
    this.#link?.closed(error !== null);
    // A real socket also emits 'close' after the call has returned.
    scheduleHere(0, 'socket closed', () => callback(error));
  }

  #whenConnected(use: (link: Link) => void, failed: Callback): void {
    const go = () => {
      if (this.#link === undefined) failed(new Error('This socket has been ended'));
      else use(this.#link);
    };
    if (this.connecting) this.once('connect', go);
    else go();
  }

  #touch(): void {
    this.#idle?.close();
    this.#idle = undefined;
    if (this.timeout <= 0 || this.destroyed) return;
    this.#idle = virtualTimers.setTimeout(() => this.emit('timeout'), this.timeout);
  }
}

import type { ExchangeResponse } from '../route/exchange.ts';

/** Node's maximum of a timer; a longer one would fire at once. */
const maxTimerMs = 2_147_483_647;

/**
 * An open response of `text/event-stream`. It has no buffer of its own: the writer stops when `write` returns false,
 * and continues after `onDrain`.
 */
export class EventStream {
  readonly #response: ExchangeResponse;

  /** @param expiresAt epoch milliseconds at which the token of the client expires; undefined without a token */
  constructor(response: ExchangeResponse, expiresAt: number | undefined) {
    this.#response = response;
    if (expiresAt === undefined) return;
    const leftMs = Math.max(0, Math.min(expiresAt - Date.now(), maxTimerMs));
    const timer = setTimeout(() => this.end(), leftMs).unref();
    this.onEnd(() => clearTimeout(timer));
  }

  /** Bytes that wait in this process for the client. */
  get bufferedBytes(): number {
    return this.#response.writableLength;
  }

  /**
   * Sends events as they are on the wire. Several streams may share the bytes.
   * @returns whether more may be written; if not, the socket is full
   */
  write(bytes: Uint8Array): boolean {
    return this.#response.write(bytes);
  }

  /** Calls back each time that the socket has accepted everything after it was full. */
  onDrain(callback: () => void): void {
    this.#response.on('drain', callback);
  }

  /** Calls back when the stream has ended, for any reason. */
  onEnd(callback: () => void): void {
    this.#response.once('close', callback);
  }

  /** Ends the stream completely, so that the client connects again. A client that does not read is disconnected. */
  end(): void {
    if (this.#response.writableNeedDrain) this.#response.destroy();
    else this.#response.end();
  }
}

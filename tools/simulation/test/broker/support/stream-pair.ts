import { Duplex } from 'node:stream';

/** One end of an in-memory connection; the other end reads the bytes that are written to it. */
class End extends Duplex {
  peer: End | undefined;
  readonly #onTraffic: () => void;

  constructor(onTraffic: () => void) {
    super({ allowHalfOpen: false });
    this.#onTraffic = onTraffic;
  }

  override _read(): void {
    // The other end pushes bytes when it writes.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#onTraffic();
    this.peer?.push(chunk);
    done();
  }

  override _final(done: () => void): void {
    this.#onTraffic();
    this.peer?.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#onTraffic();
    const { peer } = this;
    if (peer !== undefined && !peer.destroyed && !peer.readableEnded)
      process.nextTick(() => peer.destroy());
    done(error);
  }
}

/** @param onTraffic called for each write, end and destroy */
export function streamPair(onTraffic: () => void): [Duplex, Duplex] {
  const [one, other] = [new End(onTraffic), new End(onTraffic)];
  one.peer = other;
  other.peer = one;
  return [one, other];
}

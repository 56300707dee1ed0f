import { Duplex } from 'node:stream';
import { FrameQueue } from './frame-queue.ts';
import { FrameSplitter, identifierOf, packetType, typeOf } from './frames.ts';
import { Pings } from './pings.ts';
import type { Window } from './window.ts';

/** PINGRESP as it is on the wire [MQTT 3.13]. */
const pingResponse = Buffer.from([0xd0, 0x00]);

/** A QoS 1 message that came in on this connection. */
interface Entry {
  readonly messageId: number;
  released: boolean;
  /** mqtt.js's acknowledgement of it, held back until the message is released. */
  frame: Buffer | undefined;
}

export interface GateOptions {
  /** Opens the connection; called once there is room in the window. */
  open: () => Duplex;
  /** Shared with the connections before and after this one; while it is full the gate does not read. */
  window: Window;
  /** An acknowledgement of a message that this connection never brought; it is not sent. */
  onStray: (messageId: number) => void;
  /** A ping is sent; `oldest` is the packet identifier of the oldest message that is not acknowledged by then. */
  onPing?: (oldest: number | undefined) => void;
}

/**
 * Stands between mqtt.js and the socket of one connection and holds each PUBACK back until its message is released. So
 * mqtt.js reads on while thousands of messages are unacknowledged; acknowledgements leave in the order of receipt
 * [MQTT-4.6.0-2]; and since the gate dies with its connection, none can reach another one, where the same packet
 * identifier means another message.
 */
export class AcknowledgementGate extends Duplex {
  readonly pings = new Pings();
  readonly #options: GateOptions;
  readonly #fromBroker = new FrameSplitter();
  readonly #toBroker = new FrameSplitter();
  /** What the broker sent and mqtt.js has not been given. */
  readonly #received = new FrameQueue();
  /** In the order of receipt. Entries before `#paired` have their frame. */
  #entries: Entry[] = [];
  #paired = 0;
  #socket: Duplex | undefined;
  #leaveWindow: () => void;
  #constructed = (): void => undefined;
  #flushing = false;
  #delivery: NodeJS.Immediate | undefined;
  #paused = false;
  /** Whether it reads whatever is held, since nothing more is made of messages. */
  #ending = false;

  constructor(options: GateOptions) {
    super({ allowHalfOpen: false });
    this.#options = options;
    // Until there is room for what it would bring, the connection is not opened.
    this.#leaveWindow = options.window.whenOpen(() => {
      if (!this.destroyed) this.#open();
      this.#constructed();
    });
  }

  /** Nothing is written, or destroyed, before this is done. */
  override _construct(done: () => void): void {
    if (this.#socket !== undefined) done();
    else this.#constructed = done;
  }

  /**
   * Takes note of a message of QoS 1 that mqtt.js has just given out, and acknowledges next.
   * @returns what releases the acknowledgement; does nothing when called again, or once the connection has gone
   */
  hold(messageId: number): () => void {
    const entry = { messageId, released: false, frame: undefined };
    this.#entries.push(entry);
    return () => {
      entry.released = true;
      this.#scheduleFlush();
    };
  }

  /** Stops reading from the broker, whatever the window. */
  pauseReading(): void {
    this.#paused = true;
    this.#stop();
  }

  /** Reads on, whatever is held: what the broker says to a goodbye may stand behind messages. */
  readToEnd(): void {
    this.#ending = true;
    this._read();
  }

  /** Whether every acknowledgement that may leave has been handed to the socket. */
  get flushed(): boolean {
    return !this.#flushing && this.#entries[0]?.released !== true;
  }

  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error) => void): void {
    const written = chunks.map(({ chunk }) => chunk);
    this.#send(written, done);
  }

  override _final(done: (error?: Error) => void): void {
    this.#flush();
    if (this.#socket === undefined) done();
    else this.#socket.end(() => done());
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#entries = [];
    this.#paired = 0;
    this.#leaveWindow();
    clearImmediate(this.#delivery);
    this.#socket?.destroy();
    done(error);
  }

  get #stopped(): boolean {
    return !this.#ending && (this.#options.window.isFull || this.#paused);
  }

  #open(): void {
    const socket = this.#options.open();
    this.#socket = socket;
    this.#leaveWindow = this.#options.window.onTurn(() => this.#windowTurned());
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('end', () => this.#receiveEnd());
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
  }

  /** Only whole packets go on to mqtt.js, so that a ping's answer can be put between two of them. */
  #receive(chunk: Buffer): void {
    let frames: Buffer[];
    try {
      frames = this.#fromBroker.push(chunk);
    } catch (error) {
      this.destroy(error as Error);
      return;
    }
    this.#received.add(frames);
    this.#deliver();
  }

  /** What mqtt.js has not been given is not acknowledged, so it comes again; why the broker ends it is worth hearing. */
  #receiveEnd(): void {
    while (!this.#received.isEmpty && !this.#stopped) this.#push(this.#received.take());
    this.#received.clear(); // also of what would be pushed behind the end, once there is room
    this.push(null);
  }

  /** A portion a turn of the event loop, so that what it holds is counted before the next. */
  #deliver(): void {
    if (this.#delivery !== undefined || this.#stopped) return;
    const wantsMore = this.#received.isEmpty || this.#push(this.#received.take());
    if (wantsMore && this.#received.isEmpty) return;
    this.#socket?.pause();
    if (wantsMore) this.#scheduleRead();
  }

  #scheduleRead(): void {
    this.#delivery ??= setImmediate(() => {
      this.#delivery = undefined;
      this._read();
    });
  }

  /** First what came already, then what the socket has. */
  override _read(): void {
    this.#deliver();
    if (this.#received.isEmpty && !this.#stopped) this.#socket?.resume();
  }

  /** @returns whether mqtt.js wants more at once */
  #push(frames: readonly Buffer[]): boolean {
    for (const frame of frames) if (typeOf(frame) === packetType.pingresp) this.pings.answered();
    return this.push(Buffer.concat(frames));
  }

  #send(chunks: Buffer[], done: (error?: Error) => void): void {
    const passing = this.#toBroker
      .push(Buffer.concat(chunks))
      .filter((frame) => !this.#keep(frame));
    this.#scheduleFlush();
    if (passing.length === 0) done();
    else this.#socket?.write(Buffer.concat(passing), (error) => done(error ?? undefined));
  }

  /** Keeps acknowledgements back; everything else passes. */
  #keep(frame: Buffer): boolean {
    if (typeOf(frame) === packetType.pingreq) {
      this.#options.onPing?.(this.#entries[0]?.messageId);
      this.pings.sent();
      this.#answerPing();
    }
    if (typeOf(frame) !== packetType.puback) return false;
    const messageId = identifierOf(frame);
    const entry = this.#entries[this.#paired];
    if (entry?.messageId === messageId) {
      entry.frame = frame;
      this.#paired += 1;
    } else {
      this.#options.onStray(messageId);
    }
    return true;
  }

  /**
   * While nothing is read, the broker's PINGRESP cannot be seen behind the messages before it, and mqtt.js would take a
   * healthy connection for dead: also when the PINGREQ was sent before reading stopped. It goes out all the same: the
   * broker must know that we live.
   */
  #answerPing(): void {
    if (!this.#stopped || !this.pings.takeAwaited()) return;
    setImmediate(() => {
      if (this.destroyed) return;
      this.pings.answeredInPlace();
      this.push(pingResponse);
    });
  }

  #windowTurned(): void {
    if (this.#stopped) this.#stop();
    else this.#scheduleRead(); // not at once: a message is just being released
  }

  #stop(): void {
    this.#socket?.pause();
    this.#answerPing();
  }

  /** Once for all that is released in one turn of the event loop. */
  #scheduleFlush(): void {
    if (this.#flushing || this.destroyed || this.#entries[0]?.released !== true) return;
    this.#flushing = true;
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    this.#flushing = false;
    let count = 0;
    while (count < this.#paired && this.#entries[count]?.released === true) count += 1;
    if (count === 0 || this.destroyed) return;
    const frames = this.#entries.splice(0, count).map(({ frame }) => frame ?? Buffer.alloc(0));
    this.#paired -= count;
    this.#socket?.write(Buffer.concat(frames));
  }
}

import { Duplex } from 'node:stream';
import { CompletePackets, identifierOf, lengthOfComplete, packetType, typeOf } from './frames.ts';
import { framesOf, HeldAcknowledgement } from './held-acknowledgement.ts';
import { PacketQueue } from './packet-queue.ts';
import { Pings } from './pings.ts';
import type { InFlightListener } from '../options/in-flight.ts';
import type { Window } from './window.ts';

/** PINGRESP as it is on the wire [MQTT 3.13]. */
const pingResponse = Buffer.from([0xd0, 0x00]);

export interface GateOptions {
  /** Opens the connection; called when the window has room. */
  open: () => Duplex;
  /** Shared by successive connections; while it is full, the gate does not read. */
  window: Window;
  /** An acknowledgement of a message that this connection did not deliver; it is not sent. */
  onStray: (messageId: number) => void;
  /** A ping is sent; `oldest` is the packet identifier of the oldest unacknowledged message. */
  onPing?: (oldest: number | undefined) => void;
  inFlight?: InFlightListener | undefined;
}

/**
 * A stream between mqtt.js and the socket of one connection that holds back each PUBACK until its message is released.
 * So mqtt.js reads on while thousands of messages are unacknowledged, and acknowledgements are sent in the order of
 * receipt [MQTT-4.6.0-2]. Each connection has its own gate, so no acknowledgement can be sent over another connection,
 * where the same packet identifier means another message.
 */
export class AcknowledgementGate extends Duplex {
  readonly pings = new Pings();
  readonly #options: GateOptions;
  readonly #fromBroker = new CompletePackets();
  readonly #toBroker = new CompletePackets();
  /** Received packets that are not passed to mqtt.js yet. */
  readonly #received = new PacketQueue();
  /** In the order of receipt. mqtt.js has written those before `#paired`. */
  #entries: HeldAcknowledgement[] = [];
  #paired = 0;
  #socket: Duplex | undefined;
  #stopWatchingWindow: () => void;
  #constructed = (): void => undefined;
  #flushing = false;
  #scheduledRead: NodeJS.Immediate | undefined;
  #paused = false;
  /** Whether it reads although the window is full, since further messages are discarded. */
  #ending = false;

  constructor(options: GateOptions) {
    super({ allowHalfOpen: false });
    this.#options = options;
    // The connection is not opened before there is room for its messages.
    this.#stopWatchingWindow = options.window.whenOpen(() => {
      if (!this.destroyed) this.#open();
      this.#constructed();
    });
  }

  /** Delays writes and destruction until the connection is opened. */
  override _construct(done: () => void): void {
    if (this.#socket !== undefined) done();
    else this.#constructed = done;
  }

  /** Registers a QoS 1 message that mqtt.js has just emitted and will acknowledge next. */
  hold(messageId: number): HeldAcknowledgement {
    const entry = new HeldAcknowledgement(this, messageId);
    this.#entries.push(entry);
    this.#options.inFlight?.received();
    return entry;
  }

  /** Stops reading from the broker, also while the window has room. */
  pauseReading(): void {
    this.#paused = true;
    this.#stop();
  }

  /** Reads on although the window is full: the broker's response to DISCONNECT may follow messages. */
  readToEnd(): void {
    this.#ending = true;
    this._read();
  }

  /** Whether all released acknowledgements have been written to the socket. */
  get flushed(): boolean {
    return !this.#flushing && this.#entries[0]?.isReleased !== true;
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
    if (this.#entries.length > 0) this.#options.inFlight?.lost(this.#entries.length);
    this.#entries = [];
    this.#paired = 0;
    this.#stopWatchingWindow();
    clearImmediate(this.#scheduledRead);
    this.#socket?.destroy();
    done(error);
  }

  get #stopped(): boolean {
    return !this.#ending && (this.#options.window.isFull || this.#paused);
  }

  #open(): void {
    const socket = this.#options.open();
    this.#socket = socket;
    this.#stopWatchingWindow = this.#options.window.onFullChange(() => this.#windowChanged());
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('end', () => this.#receiveEnd());
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
  }

  /** Passes whole packets to mqtt.js only, so that a PINGRESP can be inserted between two packets. */
  #receive(chunk: Buffer): void {
    try {
      this.#received.add(this.#fromBroker.push(chunk));
    } catch (error) {
      this.destroy(error as Error);
      return;
    }
    this.#deliver();
  }

  /** Passes on the queued packets, the last of which may be the broker's reason for the end. Others are redelivered. */
  #receiveEnd(): void {
    while (!this.#received.isEmpty && !this.#stopped) this.#pushPortion();
    this.#received.clear(); // nothing may be pushed after the end
    this.push(null);
  }

  /** Passes on one portion per turn of the event loop, so that its messages are counted before the next portion. */
  #deliver(): void {
    if (this.#scheduledRead !== undefined || this.#stopped) return;
    const wantsMore = this.#pushPortion();
    if (wantsMore && this.#received.isEmpty) return;
    this.#socket?.pause();
    if (wantsMore) this.#scheduleRead();
  }

  #scheduleRead(): void {
    this.#scheduledRead ??= setImmediate(() => {
      this.#scheduledRead = undefined;
      this._read();
    });
  }

  /** Delivers queued packets first, then resumes the socket. */
  override _read(): void {
    this.#deliver();
    if (this.#received.isEmpty && !this.#stopped) this.#socket?.resume();
  }

  /** @returns whether mqtt.js accepts more */
  #pushPortion(): boolean {
    const portion = this.#received.take();
    if (portion === undefined) return true;
    for (let count = 0; count < portion.pingResponses; count++) this.pings.answered();
    return this.push(portion.bytes);
  }

  #send(chunks: Buffer[], done: (error?: Error) => void): void {
    const packets = this.#toBroker.push(Buffer.concat(chunks));
    const passing: Buffer[] = [];
    for (let start = 0; start < packets.length;) {
      const end = start + lengthOfComplete(packets, start);
      if (!this.#holdBack(packets, start, end)) passing.push(packets.subarray(start, end));
      start = end;
    }
    this.released();
    if (passing.length === 0) done();
    else this.#socket?.write(Buffer.concat(passing), (error) => done(error ?? undefined));
  }

  /** Holds back acknowledgements. @returns whether the packet from `start` to `end` is one; other packets pass */
  #holdBack(packets: Buffer, start: number, end: number): boolean {
    const type = typeOf(packets, start);
    if (type === packetType.pingreq) {
      this.#options.onPing?.(this.#entries[0]?.messageId);
      this.pings.sent();
      this.#answerPing();
    }
    if (type !== packetType.puback) return false;
    const messageId = identifierOf(packets, start);
    const entry = this.#entries[this.#paired];
    if (entry?.messageId === messageId) {
      entry.hold(packets, start, end);
      this.#paired += 1;
    } else {
      this.#options.onStray(messageId);
    }
    return true;
  }

  /**
   * While reading is stopped, the broker's PINGRESP is not received, and mqtt.js would close a healthy connection. So
   * the gate responds itself, also where the PINGREQ was sent before reading stopped. The PINGREQ is still sent to the
   * broker as keep-alive.
   */
  #answerPing(): void {
    if (!this.#stopped || !this.pings.takeAwaited()) return;
    setImmediate(() => {
      if (this.destroyed) return;
      this.pings.answeredInPlace();
      this.push(pingResponse);
    });
  }

  #windowChanged(): void {
    if (this.#stopped) this.#stop();
    else this.#scheduleRead(); // asynchronously: a message is just being released
  }

  #stop(): void {
    this.#socket?.pause();
    this.#answerPing();
  }

  /** Writes all acknowledgements that are released in one turn of the event loop together. */
  released(): void {
    if (this.#flushing || this.destroyed || this.#entries[0]?.isReleased !== true) return;
    this.#flushing = true;
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    this.#flushing = false;
    let count = 0;
    for (const entry of this.#entries) {
      if (count === this.#paired || !entry.isReleased) break;
      count += 1;
    }
    if (count === 0 || this.destroyed) return;
    this.#paired -= count;
    this.#socket?.write(framesOf(this.#entries.splice(0, count)));
    this.#options.inFlight?.acknowledged(count);
  }
}

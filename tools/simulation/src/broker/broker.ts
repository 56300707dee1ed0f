import { Connection } from './connection.ts';
import { createMessage } from './message.ts';
import { Disk } from './disk.ts';
import { handlePacket } from './handlers/index.ts';
import { Ledger } from './ledger.ts';
import { reasonCode } from './reason-codes.ts';
import { RetainedMessages } from './retained-messages.ts';
import { Router } from './router.ts';
import { Sessions } from './sessions.ts';
import { dropForgotten, restore } from './snapshot.ts';
import { stallGroups } from './stall-groups.ts';
import { TaskGate } from './task-gate.ts';
import type { World } from '../kernel/world.ts';
import type { BrokerContext } from './context.ts';
import type { DeliveryRecord } from './ledger.ts';
import type { Message, Publication } from './message.ts';
import type { BrokerProfile } from './profile.ts';
import type { Session } from './session.ts';
import type { Duplex } from 'node:stream';

export interface BrokerOptions {
  world: World;
  profile: BrokerProfile;
}

export interface RestartOptions {
  /** `clean`: SIGTERM, with DISCONNECT to MQTT 5 clients and published wills. `kill`: SIGKILL. */
  how: 'clean' | 'kill';
  /** Milliseconds without a listening port; 0: none. */
  downMs?: number;
}

/** An MQTT 5 and 3.1.1 broker in the simulated world. */
export class Broker {
  /** Time of the last restart of each kind (milliseconds of the world's time). */
  readonly restarts = new Map<RestartOptions['how'], number>();
  readonly #world: World;
  readonly #profile: BrokerProfile;
  readonly #gate: TaskGate;
  readonly #ledger: Ledger;
  readonly #disk = new Disk();
  readonly #connections = new Set<Connection>();
  #context: BrokerContext;
  #isDown = false;
  /** Undefined without an access control list. */
  #acl: ((filter: string) => boolean) | undefined;
  #refusal: { code: number; until: number } | undefined;
  #messages = 0;
  #assignedClientIds = 0;

  constructor({ world, profile }: BrokerOptions) {
    this.#world = world;
    this.#profile = profile;
    this.#gate = new TaskGate(world);
    this.#ledger = new Ledger(() => world.now());
    this.#context = this.#createContext();
    this.#disk.attach(this.#context);
  }

  /**
   * Serves one connection, over the broker's end of an in-memory stream or over a socket.
   * @param process that of the client
   */
  accept(stream: Duplex, process?: symbol): void {
    if (this.#isDown) {
      stream.on('error', () => undefined).destroy();
      return;
    }
    const connection = new Connection({
      ...{ stream, process },
      world: this.#world,
      gate: this.#gate,
      onPacket: (from, packet) => handlePacket(this.#context, from, packet),
      onClosed: (closed) => this.#closed(closed),
    });
    this.#connections.add(connection);
  }

  /**
   * Publishes for a simulated device, at once.
   * @returns the accepted message; undefined while the broker is down or paused
   */
  publish(publication: Publication): Message | undefined {
    if (this.#isDown || this.#gate.isPaused) return undefined;
    return this.#publish(publication, undefined).message;
  }

  /** Client identifiers of all sessions with a subscription, shared or not, that matches the topic. */
  subscribersOf(topic: string): Set<string> {
    return this.#context.router.subscribersOf(topic);
  }

  restart({ how, downMs = 0 }: RestartOptions): void {
    this.restarts.set(how, this.#world.now());
    if (how === 'clean') this.#endGracefully();
    const snapshot = this.#disk.detach(this.#context, how);
    const ending = how === 'clean' ? 'end' : 'destroy';
    for (const connection of this.#connections) connection.abandon(ending);
    this.#connections.clear();
    this.#gate.restart();
    this.#context = this.#createContext();
    restore(snapshot, this.#context);
    dropForgotten(this.#context, this.#ledger, how === 'clean' ? 'restart' : 'kill');
    if (how === 'kill') stallGroups(this.#context);
    this.#disk.attach(this.#context);
    this.#isDown = downMs > 0;
    if (this.#isDown) this.#gate.after(downMs, 'broker starts', () => (this.#isDown = false));
  }

  /**
   * Ends a client's connection. `reset`: both ends see it at once; `silent`: all packets are lost until a timeout.
   * @returns whether the client was connected
   */
  cut(clientId: string, how: 'reset' | 'silent'): boolean {
    const connection = this.#context.sessions.get(clientId)?.connection;
    if (how === 'silent') connection?.silence();
    else connection?.breakOff();
    return connection !== undefined;
  }

  /**
   * Sets which subscriptions receive no messages, by the filter of the SUBSCRIBE packet; also for
   * existing subscriptions.
   * @param isDenied undefined without an access control list
   */
  setDenied(isDenied: ((filter: string) => boolean) | undefined): void {
    this.#acl = isDenied;
  }

  /** Rejects each CONNECT for `forMs`. @param code reason code of MQTT 5; clients of MQTT 3.1.1 get its counterpart */
  refuseConnects(code: number, forMs: number): void {
    this.#refusal = { code, until: this.#world.now() + forMs };
  }

  /** Stops the process (SIGSTOP): connections are accepted, but nothing is sent. */
  pause(): void {
    this.#gate.pause();
  }

  resume(): void {
    this.#gate.resume();
  }

  isConnected(clientId: string): boolean {
    return this.connectedAt(clientId) !== undefined;
  }

  /** @returns the time of connection (milliseconds of the world's time); undefined if the client is not connected */
  connectedAt(clientId: string): number | undefined {
    return this.#context.sessions.get(clientId)?.connectedAt;
  }

  hasSession(clientId: string): boolean {
    return this.#context.sessions.get(clientId) !== undefined;
  }

  /** Ends all sessions without a connection, as if they expired. */
  expireSessions(): void {
    for (const session of this.#context.sessions.all())
      if (session.connection === undefined) this.#context.sessions.end(session);
  }

  /** Messages that are queued or in flight, the oldest first. */
  openDeliveries(): IterableIterator<DeliveryRecord> {
    for (const session of this.#context.sessions.all()) session.outbox.dropExpired();
    for (const group of this.#context.router.groups()) group.dropExpired();
    return this.#ledger.open();
  }

  /** The oldest message that a session or group has not acknowledged; `message.takenAt` is its time of receipt. */
  oldestUnacknowledged(): DeliveryRecord | undefined {
    for (const record of this.openDeliveries()) return record;
    return undefined;
  }

  /** Removes and returns the records that were sent, acknowledged or dropped since the last call, in order. */
  takeSettledDeliveries(): DeliveryRecord[] {
    return this.#ledger.takeSettled();
  }

  #createContext(): BrokerContext {
    const [world, profile, ledger] = [this.#world, this.#profile, this.#ledger];
    const gate = this.#gate;
    const isDenied = (filter: string, session?: Session) => this.#isDenied(filter, session);
    const publish = (publication: Publication, publisher: string | undefined) =>
      this.#publish(publication, publisher).isMatched;
    const router = new Router({ world, profile, ledger, isDenied });
    return {
      ...{ world, profile, gate, ledger, router },
      sessions: new Sessions({ world, profile, gate, ledger, router, publish }),
      retained: new RetainedMessages(),
      lostMembers: new Set(),
      isDenied,
      refusal: () => this.#currentRefusal(),
      assignClientId: () => `auto-${++this.#assignedClientIds}`,
      publish,
    };
  }

  #publish(publication: Publication, publisher: string | undefined) {
    const message = createMessage(publication, {
      id: ++this.#messages,
      takenAt: this.#world.now(),
      publisher,
    });
    if (message.retain) this.#context.retained.set(message);
    const isMatched = this.#context.router.route(message);
    if (!isMatched) this.#noteUnmatched(message);
    return { message, isMatched };
  }

  #isDenied(filter: string, session: Session | undefined): boolean {
    if (this.#acl === undefined) return false;
    const isUnknown =
      session?.isRestored === true && this.#profile.durability.restoredMayRead === 'withoutAcl';
    return isUnknown || this.#acl(filter);
  }

  #noteUnmatched(message: Message): void {
    const nowhere = { session: undefined, group: undefined, isReplay: false };
    const record = this.#ledger.add({ message, qos: message.qos, ...nowhere });
    this.#ledger.dropped(record, 'noSubscription');
  }

  #closed(connection: Connection): void {
    this.#connections.delete(connection);
    const { session, isWillDiscarded, isTakenOver } = connection;
    if (session === undefined) return;
    if (!isWillDiscarded)
      for (const { filter } of session.subscriptions.values())
        if (filter.group !== undefined)
          this.#context.lostMembers.add(`${session.clientId} ${filter.text}`);
    // A takeover does not publish the will if the profile says so, unless the takeover also ends the session.
    const isSilent = isTakenOver && this.#profile.willOnTakeover === 'discarded';
    this.#context.sessions.disconnected(session, !isWillDiscarded, isSilent ? Infinity : 0);
  }

  #currentRefusal(): number | undefined {
    if (this.#refusal === undefined || this.#world.now() >= this.#refusal.until) return undefined;
    return this.#refusal.code;
  }

  #endGracefully(): void {
    this.#gate.resume();
    for (const connection of [...this.#connections])
      connection.close(reasonCode.serverShuttingDown);
  }
}

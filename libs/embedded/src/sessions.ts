import { Readable } from 'node:stream';
import type { Aedes, AedesPublishPacket, Client } from 'aedes';
import memoryPersistence from 'aedes-persistence';
import type { IPubrelPacket } from 'mqtt-packet';
import { Session } from './session.ts';

/**
 * Maximum messages in flight to one client, and so the maximum of redeliveries after its end: five times the window of
 * an ingestion service, far below the 65,535 packet identifiers.
 */
const inFlightLimit = 10_000;

/** CommonJS: the import is the function that the package's types call its `default`. */
const createMemoryPersistence = memoryPersistence as unknown as typeof memoryPersistence.default;

/**
 * The persistent sessions of an embedded broker. Aedes's own memory persistence searches its queue for each message
 * sent and acknowledged (quadratic with a backlog), assigns packet identifiers that may be in use, and sends a message
 * twice that arrives while a client reconnects. Here aedes passes outgoing messages and acknowledgements to the
 * session, which writes to the client. Subscriptions, wills and retained messages stay in aedes.
 */
export class Sessions {
  readonly #sessions = new Map<string, Session>();

  /** For the `persistence` option of aedes. */
  readonly persistence = Object.assign(createMemoryPersistence(), {
    outgoingEnqueue: (subscription: { clientId: string }, packet: AedesPublishPacket) => {
      this.#of(subscription.clientId).add(packet);
      return Promise.resolve();
    },

    outgoingEnqueueCombi: (
      subscriptions: { clientId: string; qos: 0 | 1 | 2 }[],
      packet: AedesPublishPacket,
    ) => {
      for (const { clientId, qos } of subscriptions) {
        const granted = Math.min(packet.qos, qos) as 0 | 1 | 2; // [MQTT-3.8.4-6]
        this.#of(clientId).add({ ...packet, qos: granted, retain: false });
      }
      return Promise.resolve();
    },

    outgoingUpdate: (client: Client, packet: AedesPublishPacket | IPubrelPacket) => {
      if (packet.cmd === 'pubrel') this.#of(client.id).release(packet);
      return Promise.resolve();
    },

    outgoingClearMessageId: (client: Client, { messageId }: { messageId?: number }) =>
      Promise.resolve(this.#sessions.get(client.id)?.acknowledge(messageId ?? 0)),

    outgoingStream: () => Readable.from([]),
  });

  /** For the `authorizeForward` option of aedes: null when the session already has the message. */
  readonly authorizeForward = (
    client: Client,
    packet: AedesPublishPacket,
  ): AedesPublishPacket | null => {
    if (client.clean || packet.qos === 0) return packet;
    const session = this.#of(client.id);
    const isRetainedAtSubscription = !packet.brokerId; // aedes unsets it for these only
    if (isRetainedAtSubscription) session.add(packet);
    return isRetainedAtSubscription || session.expects(packet.brokerCounter) ? null : packet;
  };

  /** Sends to the clients of this broker, and stops with them. */
  follow(broker: Aedes): void {
    broker.on('clientReady', (client) => {
      if (client.clean)
        this.#sessions.delete(client.id); // [MQTT-3.1.2-6]
      else this.#of(client.id).connect(client);
    });
    broker.on('clientDisconnect', (client) => {
      this.#sessions.get(client.id)?.disconnect(client);
    });
  }

  #of(clientId: string): Session {
    const session = this.#sessions.get(clientId) ?? new Session(inFlightLimit);
    this.#sessions.set(clientId, session);
    return session;
  }
}

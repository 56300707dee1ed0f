import { Readable } from 'node:stream';
import type { Aedes, AedesPublishPacket, Client } from 'aedes';
import memoryPersistence from 'aedes-persistence';
import type { IPubrelPacket } from 'mqtt-packet';
import { Session } from './session.ts';

/**
 * Messages in flight to one client at most, and so the most that is sent again when it dies: five
 * times what an ingestion service takes at once, far from the 65,535 identifiers there are.
 */
const inFlightLimit = 10_000;

/** CommonJS: what we import is the function that the package's types call its `default`. */
const createMemoryPersistence = memoryPersistence as unknown as typeof memoryPersistence.default;

/**
 * The persistent sessions of an embedded broker. Aedes's own memory persistence searches its queue
 * for each message sent and acknowledged (quadratic with a backlog), gives identifiers without
 * looking which are in use, and sends a message twice that arrives while a client is reconnecting.
 * Here the outgoing side is ours: aedes hands over what a session is to get and each
 * acknowledgement, and the session writes. Subscriptions, wills and retained messages stay its.
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

  /** For the `authorizeForward` option of aedes: null when the session has the message already. */
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

  /** Sends and stops with the clients of this broker. */
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

import { until } from '@engawa/testing';
import type { RawBroker, RawConnection } from '@engawa/testing';

/** Topics and payloads by their expected outcome. */
const messages: Record<string, (number: number, device: number) => [string, string]> = {
  stored: (number, device) => [`engawa/device-${device}/readings`, readingOf(number)],
  throttled: (number) => ['engawa/throttled/readings', readingOf(number)],
  ignored: () => ['zigbee2mqtt/bridge/state', '{"state":"online"}'],
  poison: (number) => ['engawa/poison/readings', `{"cut":${number}`],
  undecodable: (number) => ['nobody/takes/this', String(number)],
  empty: (_, device) => [`engawa/device-${device}/readings`, ''],
};
const kinds = Object.keys(messages);

function readingOf(number: number): string {
  const ts = new Date(Date.now() - 86_400_000 + number * 1000).toISOString();
  return JSON.stringify({ ts, number });
}

/** Sends messages of any kind and QoS, repeated, in bursts, retained, and over connections that break. */
export class MixedBroker {
  readonly #broker: RawBroker;
  readonly #random: () => number;
  #sent = 0;

  constructor(broker: RawBroker, random: () => number) {
    this.#broker = broker;
    this.#random = random;
  }

  /** Number of messages sent so far. */
  get sent(): number {
    return this.#sent;
  }

  /** The newest connection of each client that has subscribed over it. */
  get live(): RawConnection[] {
    const byClient = new Map<string, RawConnection>();
    for (const connection of this.#broker.connections) {
      const [connect] = connection.packets;
      const subscribed = connection.packets.some(({ cmd }) => cmd === 'subscribe');
      if (connect?.cmd === 'connect' && subscribed) byClient.set(connect.clientId, connection);
    }
    return [...byClient.values()];
  }

  /** A message of a random kind, or of the given one. */
  send(kind = kinds[this.#below(kinds.length)] ?? '', qos?: 0 | 1): void {
    const number = this.#sent++;
    const [topic, payload] = messages[kind]?.(number, this.#below(5)) ?? ['', ''];
    const retain = this.#below(10) === 0;
    const dup = this.#below(10) === 0;
    const connection = this.live[this.#below(this.live.length)];
    const packet = { cmd: 'publish', topic, payload, retain } as const;
    if (qos === 0 || (qos === undefined && this.#below(3) === 0)) {
      connection?.send({ ...packet, qos: 0, dup: false });
      return;
    }
    const again = { ...packet, qos: 1, messageId: 1 + (number % 60_000) } as const;
    connection?.send({ ...again, dup });
    if (this.#below(8) > 0) return;
    this.#sent += 1;
    connection?.send({ ...again, dup: true });
  }

  /** Sends messages that are not repeated. */
  flood(count: number): void {
    for (let index = 0; index < count; index++) this.send('stored', 0);
  }

  /** Breaks one connection, and waits until its client has reconnected. */
  async cut(): Promise<void> {
    const chosen = this.live[this.#below(this.live.length)];
    const clients = this.live.length;
    chosen?.cut();
    await until('another connection', () => {
      return this.live.length === clients && (chosen === undefined || !this.live.includes(chosen));
    });
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }
}

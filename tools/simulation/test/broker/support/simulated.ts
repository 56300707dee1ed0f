import { MqttClient } from 'mqtt';
import { Agenda } from '../../../src/kernel/agenda.ts';
import { Random } from '../../../src/kernel/random.ts';
import { Broker } from '../../../src/broker/index.ts';
import { RawClient } from './raw-client.ts';
import { standard } from './standard.ts';
import { streamPair } from './stream-pair.ts';
import type { IClientOptions } from 'mqtt';
import type { IConnectPacket } from 'mqtt-packet';
import type { Duplex } from 'node:stream';
import type { BrokerProfile } from '../../../src/broker/index.ts';

type Changes = { [Key in keyof BrokerProfile]?: Partial<BrokerProfile[Key]> };

/** A profile with changes to some of its fields. */
export function changed(profile: BrokerProfile, changes: Changes): BrokerProfile {
  const merged = Object.entries(changes).map(([key, value]) => {
    const before = profile[key as keyof BrokerProfile];
    return [key, typeof value === 'object' ? Object.assign({}, before, value) : value];
  });
  return { ...profile, ...(Object.fromEntries(merged) as Partial<BrokerProfile>) };
}

/** A broker under virtual time, with clients in memory. */
export class Simulated {
  readonly world: Agenda;
  readonly broker: Broker;
  readonly #clients: MqttClient[] = [];
  #traffic = 0;

  constructor(profile: BrokerProfile = standard, seed = 1) {
    this.world = new Agenda(new Random(seed));
    this.broker = new Broker({ world: this.world, profile });
  }

  /** The client's end of a new connection. */
  open(): Duplex {
    const [client, server] = streamPair(() => (this.#traffic += 1));
    this.broker.accept(server);
    return client;
  }

  /** Waits until nothing moves any more at this instant of the virtual time. */
  async settle(): Promise<void> {
    for (let quiet = 0; quiet < 3;) {
      const before = this.#traffic;
      await new Promise((resolve) => setImmediate(resolve));
      quiet = this.#traffic === before ? quiet + 1 : 0;
    }
  }

  /** Lets virtual time pass. */
  async advance(ms: number): Promise<void> {
    await this.settle();
    await this.world.runUntil(this.world.now() + ms, { settle: () => this.settle() });
  }

  /** A raw client that is connected. */
  async raw(
    clientId: string,
    { version = 5, ...options }: Partial<IConnectPacket> & { version?: 4 | 5 } = {},
  ): Promise<RawClient> {
    const client = new RawClient(this.open(), version);
    client.connect({ clientId, ...options });
    await this.settle();
    return client;
  }

  /** A raw client of MQTT 5 that is connected with a session that lasts. */
  async lasting(clientId: string, options: Partial<IConnectPacket> = {}): Promise<RawClient> {
    const properties = { sessionExpiryInterval: 0xffff_ffff, ...options.properties };
    return this.raw(clientId, { clean: false, ...options, properties });
  }

  mqtt(options: IClientOptions): MqttClient {
    const client = new MqttClient(() => this.open(), {
      keepalive: 0,
      reconnectPeriod: 0,
      ...options,
    });
    this.#clients.push(client);
    return client;
  }

  /** Publishes numbered messages as a device. @returns their payloads */
  publish(topic: string, from: number, to: number, qos: 0 | 1 | 2 = 1): string[] {
    const payloads: string[] = [];
    for (let number = from; number <= to; number++) {
      payloads.push(`${number}`);
      this.broker.publish({ topic, payload: `${number}`, qos, retain: false });
    }
    return payloads;
  }

  /** Counts of what came to an end since the last call, by state, or by cause of what was dropped. */
  outcomes(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { state, cause } of this.broker.takeSettledDeliveries())
      counts[cause ?? state] = (counts[cause ?? state] ?? 0) + 1;
    return counts;
  }

  close(): void {
    for (const client of this.#clients) client.end(true);
  }
}

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

/** A copy of a profile with some other values. */
export function changed(profile: BrokerProfile, changes: Changes): BrokerProfile {
  const merged = Object.entries(changes).map(([key, value]) => {
    const before = profile[key as keyof BrokerProfile];
    return [key, typeof value === 'object' ? Object.assign({}, before, value) : value];
  });
  return { ...profile, ...(Object.fromEntries(merged) as Partial<BrokerProfile>) };
}

/** A broker in virtual time, with clients in memory. */
export class Simulated {
  readonly world: Agenda;
  readonly broker: Broker;
  /** The process of clients that connect from now on. */
  process: symbol | undefined;
  readonly #clients: MqttClient[] = [];
  #traffic = 0;

  constructor(profile: BrokerProfile = standard, seed = 1) {
    this.world = new Agenda(new Random(seed));
    this.broker = new Broker({ world: this.world, profile });
  }

  /** Opens a connection. @returns the client's end */
  open(): Duplex {
    const [client, server] = streamPair(() => (this.#traffic += 1));
    this.broker.accept(server, this.process);
    return client;
  }

  /** Waits until no more bytes are sent at the current virtual time. */
  async settle(): Promise<void> {
    for (let quiet = 0; quiet < 3;) {
      const before = this.#traffic;
      await new Promise((resolve) => setImmediate(resolve));
      quiet = this.#traffic === before ? quiet + 1 : 0;
    }
  }

  /** Advances the virtual time. */
  async advance(ms: number): Promise<void> {
    await this.settle();
    await this.world.runUntil(this.world.now() + ms, { settle: () => this.settle() });
  }

  /** Connects a raw client. */
  async raw(
    clientId: string,
    { version = 5, ...options }: Partial<IConnectPacket> & { version?: 4 | 5 } = {},
  ): Promise<RawClient> {
    const client = new RawClient(this.open(), version);
    client.connect({ clientId, ...options });
    await this.settle();
    return client;
  }

  /** Connects a raw client of MQTT 5 with a session that outlives its connection. */
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

  /** Numbers of completed deliveries since the last call, by state, or by cause for dropped messages. */
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

import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startMosquitto, until } from '@engawa/testing';
import { mosquitto } from '../../../src/broker/index.ts';
import { RawClient } from './raw-client.ts';
import { changed, Simulated } from './simulated.ts';
import type { IConnectPacket } from 'mqtt-packet';
import type { Duplex } from 'node:stream';

type ConnectOptions = Partial<IConnectPacket> & { version?: 4 | 5 };

/** A real or simulated broker with raw clients. */
export interface Stage {
  /** Connects a client, by default with a session that outlives its connection. */
  client(clientId: string, options?: ConnectOptions): Promise<RawClient>;
  /** Resolves when the broker has processed all packets, and the clients have received the results. */
  settle(): Promise<void>;
  /** Publishes numbered messages of QoS 1. */
  publish(topic: string, from: number, to: number): Promise<void>;
  restart(how: 'clean' | 'kill'): Promise<void>;
  /** Resolves after the next save of the broker's state to disk. */
  saved(): Promise<void>;
}

export interface Scenario {
  /** Maximum number of queued messages per session. */
  maxQueued: number;
  /** Whether an access control list denies reading topics below `secret`. */
  hasAcl?: boolean;
  play(context: Stage): Promise<unknown>;
}

const savedEveryMs = 1_800_000;

/** Prefix of the topics that the access control list denies. */
export const secret = 'secret';

export async function inMosquitto(scenario: Scenario): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'engawa-scenario-'));
  writeFileSync(join(folder, 'acl'), `topic readwrite open/#\ntopic write ${secret}/#\n`);
  const port = await freePort();
  const settings = [
    'allow_anonymous true',
    ...(scenario.hasAcl === true ? [`acl_file ${join(folder, 'acl')}`] : []),
    'persistence true',
    `persistence_location ${folder}/`,
    `max_queued_messages ${scenario.maxQueued}`,
    'autosave_interval 1',
  ];
  const database = join(folder, 'mosquitto.db');
  let broker = await startMosquitto({ port, settings });
  const context = stageOf({
    open: () => connect(port, '127.0.0.1').setNoDelay(),
    restart: async (how) => {
      await (how === 'clean' ? broker.close() : broker.kill());
      broker = await startMosquitto({ port, settings });
    },
    saved: async () => {
      // Each save replaces the file. Waits for two saves, since the first may have begun before the call.
      for (let saves = 0; saves < 2; saves++) {
        const before = inodeOf(database);
        await until('a save', () => inodeOf(database) !== before);
      }
    },
  });
  return scenario.play(context).finally(async () => {
    await broker.close();
    rmSync(folder, { recursive: true });
  });
}

export async function inSimulation(scenario: Scenario): Promise<unknown> {
  const profile = changed(mosquitto, {
    queue: { max: scenario.maxQueued },
    // The profile for clients without a user name.
    durability: { restoredMayRead: 'withoutAcl' },
  });
  const simulated = new Simulated(profile);
  if (scenario.hasAcl === true) simulated.broker.setDenied((filter) => filter.startsWith(secret));
  return scenario.play(
    stageOf({
      open: () => simulated.open(),
      restart: async (how) => {
        simulated.broker.restart({ how });
        await simulated.settle();
      },
      saved: () => simulated.advance(savedEveryMs),
    }),
  );
}

function inodeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino;
}

interface World {
  open: () => Duplex;
  restart: Stage['restart'];
  saved: Stage['saved'];
}

function stageOf({ open, restart, saved }: World): Stage {
  const clients: RawClient[] = [];
  const connected = () => clients.filter((client) => !client.isClosed);
  const settle = async () => {
    for (let round = 0; round < 3; round++)
      for (const client of connected()) await answerToPing(client);
  };
  const client: Stage['client'] = async (clientId, { version = 5, ...options } = {}) => {
    const raw = new RawClient(open(), version);
    clients.push(raw);
    const properties = { sessionExpiryInterval: 100_000, ...options.properties };
    raw.connect({ clientId, clean: false, ...options, properties });
    await answerToPing(raw);
    return raw;
  };
  return {
    client,
    settle,
    restart,
    saved,
    publish: async (topic, from, to) => {
      const publisher = await client('publisher', { clean: true });
      for (let number = from; number <= to; number++)
        publisher.publish(topic, `${number}`, { messageId: number });
      await settle();
    },
  };
}

async function answerToPing(client: RawClient): Promise<void> {
  const answers = client.of('pingresp').length;
  client.send({ cmd: 'pingreq' });
  while (client.of('pingresp').length === answers && !client.isClosed)
    await new Promise((resolve) => setImmediate(resolve));
}

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '@engawa/errors';
import { connect as connectClient } from 'mqtt';
import type { IClientOptions, IConnackPacket, MqttClient } from 'mqtt';
import type { Options } from './options.ts';

/** Messages that a broker kept for a disconnected client over the broker's restart. */
export interface RestartFinding {
  /** The broker's CONNACK says that it has the session. */
  sessionPresent: boolean;
  /** Messages published after the restart, and how many of them each subscription received. */
  published: number;
  plain: number;
  shared: number;
}

const messagesEach = 20;
/** Without a message in this time, the queue is empty: a broker sends queued messages immediately. */
const quietMs = 3000;
const sessionExpirySeconds = 3600;

/**
 * Subscribes, disconnects, restarts the broker, publishes, and reconnects without subscribing:
 * messages that arrive then were queued for subscriptions that the broker has kept.
 */
export async function checkRestart(
  options: Options,
  restart: () => Promise<void>,
): Promise<RestartFinding> {
  const id = `engawa-broker-check-${randomUUID().slice(0, 8)}`;
  const topics = {
    plain: `engawa-broker-check/${id}/plain`,
    shared: `engawa-broker-check/${id}/shared`,
  };
  const subscriber = await connect(options, { clientId: id, clean: false });
  await subscriber.subscribeAsync([topics.plain, `$share/${id}/${topics.shared}`], { qos: 1 });
  await subscriber.endAsync();
  await restart();
  const publisher = await connect(options, { clientId: `${id}-publisher`, clean: true });
  for (let number = 0; number < messagesEach; number++) {
    for (const topic of [topics.plain, topics.shared]) {
      await publisher.publishAsync(topic, String(number), { qos: 1 });
    }
  }
  await publisher.endAsync();
  const received = await receiveAgain(options, id);
  await forget(options, id);
  return {
    sessionPresent: received.sessionPresent,
    published: messagesEach,
    plain: received.topics.filter((topic) => topic === topics.plain).length,
    shared: received.topics.filter((topic) => topic === topics.shared).length,
  };
}

async function receiveAgain(options: Options, clientId: string) {
  const topics: string[] = [];
  let receivedAt = performance.now();
  const listen = (client: MqttClient) =>
    client.on('message', (topic) => {
      topics.push(topic);
      receivedAt = performance.now();
    });
  const [client, connack] = await connectWithAnswer(options, { clientId, clean: false }, listen);
  while (performance.now() - receivedAt < quietMs) await sleep(100);
  await client.endAsync();
  return { topics, sessionPresent: connack.sessionPresent };
}

/** Replaces the kept session by a clean one. */
async function forget(options: Options, clientId: string): Promise<void> {
  const client = await connect(options, { clientId, clean: true });
  await client.endAsync();
}

async function connect(options: Options, more: IClientOptions): Promise<MqttClient> {
  const [client] = await connectWithAnswer(options, more);
  return client;
}

/** @param prepare called before anything is received */
async function connectWithAnswer(
  { url, version, username, password }: Options,
  more: IClientOptions,
  prepare: (client: MqttClient) => void = () => undefined,
): Promise<[MqttClient, IConnackPacket]> {
  const isVersion5 = version === '5';
  const keepsSession = isVersion5 && more.clean === false;
  const client = connectClient(url, {
    protocolVersion: isVersion5 ? 5 : 4,
    reconnectPeriod: 0,
    resubscribe: false,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(keepsSession && { properties: { sessionExpiryInterval: sessionExpirySeconds } }),
    ...more,
  });
  prepare(client);
  try {
    return [client, await connected(client)];
  } catch (error) {
    client.end(true);
    throw new OperatorError(`cannot connect to ${url}: ${reasonOf(error)}`, { cause: error });
  }
}

function connected(client: MqttClient): Promise<IConnackPacket> {
  const { promise, resolve, reject } = Promise.withResolvers<IConnackPacket>();
  client.once('connect', resolve);
  client.once('error', reject);
  client.once('close', () => reject(new Error('the connection was closed')));
  return promise;
}

function reasonOf(error: unknown): string {
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
  return first instanceof Error ? first.message : String(first);
}

import { secret } from './both-worlds.ts';
import type { Scenario, Stage } from './both-worlds.ts';
import type { RawClient } from './raw-client.ts';

const topic = 'open/a';
const unlimited = 0;

/** The messages that a client received, with payload and DUP flag, in order. */
function received(client: RawClient): string[] {
  return client
    .of('publish')
    .map(({ payload, dup }) => `${payload.toString()}${dup ? ' again' : ''}`);
}

function sessionPresent(client: RawClient): boolean | undefined {
  return client.of('connack')[0]?.sessionPresent;
}

async function subscribed(
  context: Stage,
  client: RawClient,
  ...filters: string[]
): Promise<unknown> {
  client.subscribe(filters);
  await context.settle();
  return client.of('suback')[0]?.granted;
}

async function leave(context: Stage, client: RawClient): Promise<void> {
  client.send({ cmd: 'disconnect', reasonCode: 0 });
  while (!client.isClosed) await new Promise((resolve) => setImmediate(resolve));
  await context.settle();
}

async function acknowledgeAll(context: Stage, client: RawClient): Promise<void> {
  for (let acknowledged = 0; acknowledged < client.of('publish').length;) {
    const from = acknowledged;
    acknowledged = client.of('publish').length;
    client.acknowledge(from);
    await context.settle();
  }
}

export const scenarios: Readonly<Record<string, Scenario>> = {
  'the number of messages in flight': {
    maxQueued: unlimited,
    play: async (context) => {
      const clients = {
        three: await context.client('three', { version: 4 }),
        five: await context.client('five'),
        fifty: await context.client('fifty', { properties: { receiveMaximum: 50 } }),
        two: await context.client('two', { properties: { receiveMaximum: 2 } }),
      };
      for (const client of Object.values(clients)) await subscribed(context, client, topic);
      await context.publish(topic, 1, 60);
      return Object.entries(clients).map(([name, client]) => [name, received(client).length]);
    },
  },
  'the messages that an acknowledgement frees': {
    maxQueued: unlimited,
    play: async (context) => {
      const counts: number[][] = [];
      for (const version of [4, 5] as const) {
        const properties = { receiveMaximum: 4 };
        const client = await context.client(`version ${version}`, { version, properties });
        await subscribed(context, client, topic);
        await context.publish(topic, 1, 60);
        const seen = [];
        for (const index of [0, 1, 5, 2, 3]) {
          client.acknowledge(index, index + 1);
          await context.settle();
          seen.push(received(client).length);
        }
        counts.push(seen);
        await leave(context, client);
      }
      return counts;
    },
  },
  'messages that a full queue drops, offline': {
    maxQueued: 10,
    play: async (context) => {
      const client = await context.client('one');
      await subscribed(context, client, topic);
      await leave(context, client);
      await context.publish(topic, 1, 15);
      const back = await context.client('one');
      await acknowledgeAll(context, back);
      return received(back);
    },
  },
  'messages that a full queue drops, online': {
    maxQueued: 10,
    play: async (context) => {
      const outcomes: unknown[] = [];
      for (const receiveMaximum of [5, 30]) {
        const client = await context.client(`with ${receiveMaximum}`, {
          properties: { receiveMaximum },
        });
        await subscribed(context, client, topic);
        await context.publish(topic, 1, 80);
        await acknowledgeAll(context, client);
        outcomes.push(received(client));
        await leave(context, client);
      }
      return outcomes;
    },
  },
  'redelivered messages and their DUP flags': {
    maxQueued: unlimited,
    play: async (context) => {
      const client = await context.client('one', { properties: { receiveMaximum: 4 } });
      await subscribed(context, client, topic);
      await context.publish(topic, 1, 6);
      client.acknowledge(1, 2);
      await context.settle();
      await leave(context, client);
      await context.publish(topic, 7, 8);
      const back = await context.client('one', { properties: { receiveMaximum: 2 } });
      const atFirst = received(back);
      await acknowledgeAll(context, back);
      return [received(client), sessionPresent(back), atFirst, received(back)];
    },
  },
  'a denied subscription': {
    hasAcl: true,
    maxQueued: unlimited,
    play: async (context) => {
      const clients = [await context.client('five'), await context.client('three', { version: 4 })];
      const granted = [];
      for (const client of clients)
        granted.push(await subscribed(context, client, `${secret}/#`, topic));
      await context.publish(`${secret}/a`, 1, 3);
      await context.publish(topic, 4, 4);
      return [granted, clients.map(received)];
    },
  },
  'an offline group member, and a member whose session ends': {
    maxQueued: unlimited,
    play: async (context) => {
      const filter = `$share/g/${topic}`;
      const [one, two] = [await context.client('one'), await context.client('two')];
      await subscribed(context, one, filter);
      await subscribed(context, two, filter);
      await context.publish(topic, 1, 4);
      await leave(context, two);
      await context.publish(topic, 5, 10);
      const cleared = await context.client('two', { clean: true });
      await context.publish(topic, 11, 12);
      return [one, two, cleared].map(received);
    },
  },
  'a message above the maximum packet size': {
    maxQueued: unlimited,
    play: async (context) => {
      const client = await context.client('one', { properties: { maximumPacketSize: 60 } });
      await subscribed(context, client, 'open/#');
      const publisher = await context.client('publisher');
      for (const [index, length] of [10, 100, 20].entries())
        publisher.publish(topic, 'x'.repeat(length), { messageId: index + 1 });
      await context.settle();
      const acknowledged = publisher.of('puback').map(({ reasonCode }) => reasonCode);
      return [acknowledged, client.payloads.map((payload) => payload.length)];
    },
  },
  'a graceful restart': restart(false),
  'a graceful restart with an access control list': restart(true),
  SIGKILL: {
    maxQueued: unlimited,
    play: async (context) => {
      const client = await context.client('one');
      await subscribed(context, client, topic);
      await context.publish(topic, 1, 3);
      client.acknowledge(0, 1);
      await context.settle();
      await leave(context, client);
      await context.publish(topic, 4, 5);
      await context.saved();
      const between = await context.client('one');
      between.acknowledge(0, 2);
      await context.settle();
      await context.publish(topic, 6, 7);
      await context.restart('kill');
      const back = await context.client('one');
      await context.settle();
      return [received(client), received(between), sessionPresent(back), received(back)];
    },
  },
};

/** A plain subscriber and a group member, both offline, with messages before and after a restart. */
function restart(hasAcl: boolean): Scenario {
  return {
    hasAcl,
    maxQueued: unlimited,
    play: async (context) => {
      const [plain, member] = [await context.client('plain'), await context.client('member')];
      await subscribed(context, plain, topic);
      await subscribed(context, member, `$share/g/${topic}`);
      const publisher = await context.client('publisher');
      publisher.publish(topic, 'retained', { retain: true, messageId: 1 });
      await context.settle();
      await leave(context, plain);
      await leave(context, member);
      await context.publish(topic, 1, 2);
      await context.restart('clean');
      await context.publish(topic, 3, 4);
      const back = [await context.client('plain'), await context.client('member')];
      await context.settle();
      const fresh = await context.client('fresh');
      await subscribed(context, fresh, topic);
      return [back.map(sessionPresent), [...back, fresh].map(received)];
    },
  };
}

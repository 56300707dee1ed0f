import { secret } from './both-worlds.ts';
import type { Scenario, Stage } from './both-worlds.ts';
import type { RawClient } from './raw-client.ts';

const topic = 'open/a';
const unlimited = 0;

/** What a client got: payload, DUP and the order. */
function received(client: RawClient): string[] {
  return client
    .of('publish')
    .map(({ payload, dup }) => `${payload.toString()}${dup ? ' again' : ''}`);
}

function sessionPresent(client: RawClient): boolean | undefined {
  return client.of('connack')[0]?.sessionPresent;
}

async function subscribed(stage: Stage, client: RawClient, ...filters: string[]): Promise<unknown> {
  client.subscribe(filters);
  await stage.settle();
  return client.of('suback')[0]?.granted;
}

async function leave(stage: Stage, client: RawClient): Promise<void> {
  client.send({ cmd: 'disconnect', reasonCode: 0 });
  while (!client.isClosed) await new Promise((resolve) => setImmediate(resolve));
  await stage.settle();
}

async function acknowledgeAll(stage: Stage, client: RawClient): Promise<void> {
  for (let acknowledged = 0; acknowledged < client.of('publish').length;) {
    const from = acknowledged;
    acknowledged = client.of('publish').length;
    client.acknowledge(from);
    await stage.settle();
  }
}

export const scenarios: Readonly<Record<string, Scenario>> = {
  'how many are in flight': {
    maxQueued: unlimited,
    play: async (stage) => {
      const clients = {
        three: await stage.client('three', { version: 4 }),
        five: await stage.client('five'),
        fifty: await stage.client('fifty', { properties: { receiveMaximum: 50 } }),
        two: await stage.client('two', { properties: { receiveMaximum: 2 } }),
      };
      for (const client of Object.values(clients)) await subscribed(stage, client, topic);
      await stage.publish(topic, 1, 60);
      return Object.entries(clients).map(([name, client]) => [name, received(client).length]);
    },
  },
  'what an acknowledgement lets go': {
    maxQueued: unlimited,
    play: async (stage) => {
      const counts: number[][] = [];
      for (const version of [4, 5] as const) {
        const properties = { receiveMaximum: 4 };
        const client = await stage.client(`version ${version}`, { version, properties });
        await subscribed(stage, client, topic);
        await stage.publish(topic, 1, 60);
        const seen = [];
        for (const index of [0, 1, 5, 2, 3]) {
          client.acknowledge(index, index + 1);
          await stage.settle();
          seen.push(received(client).length);
        }
        counts.push(seen);
        await leave(stage, client);
      }
      return counts;
    },
  },
  'which messages a full queue drops, offline': {
    maxQueued: 10,
    play: async (stage) => {
      const client = await stage.client('one');
      await subscribed(stage, client, topic);
      await leave(stage, client);
      await stage.publish(topic, 1, 15);
      const back = await stage.client('one');
      await acknowledgeAll(stage, back);
      return received(back);
    },
  },
  'which messages a full queue drops, online': {
    maxQueued: 10,
    play: async (stage) => {
      const outcomes: unknown[] = [];
      for (const receiveMaximum of [5, 30]) {
        const client = await stage.client(`with ${receiveMaximum}`, {
          properties: { receiveMaximum },
        });
        await subscribed(stage, client, topic);
        await stage.publish(topic, 1, 80);
        await acknowledgeAll(stage, client);
        outcomes.push(received(client));
        await leave(stage, client);
      }
      return outcomes;
    },
  },
  'what comes again, and how': {
    maxQueued: unlimited,
    play: async (stage) => {
      const client = await stage.client('one', { properties: { receiveMaximum: 4 } });
      await subscribed(stage, client, topic);
      await stage.publish(topic, 1, 6);
      client.acknowledge(1, 2);
      await stage.settle();
      await leave(stage, client);
      await stage.publish(topic, 7, 8);
      const back = await stage.client('one', { properties: { receiveMaximum: 2 } });
      const atFirst = received(back);
      await acknowledgeAll(stage, back);
      return [received(client), sessionPresent(back), atFirst, received(back)];
    },
  },
  'a subscription that may not read': {
    hasAcl: true,
    maxQueued: unlimited,
    play: async (stage) => {
      const clients = [await stage.client('five'), await stage.client('three', { version: 4 })];
      const granted = [];
      for (const client of clients)
        granted.push(await subscribed(stage, client, `${secret}/#`, topic));
      await stage.publish(`${secret}/a`, 1, 3);
      await stage.publish(topic, 4, 4);
      return [granted, clients.map(received)];
    },
  },
  'a member of a group that is offline, and one whose session ends': {
    maxQueued: unlimited,
    play: async (stage) => {
      const filter = `$share/g/${topic}`;
      const [one, two] = [await stage.client('one'), await stage.client('two')];
      await subscribed(stage, one, filter);
      await subscribed(stage, two, filter);
      await stage.publish(topic, 1, 4);
      await leave(stage, two);
      await stage.publish(topic, 5, 10);
      const cleared = await stage.client('two', { clean: true });
      await stage.publish(topic, 11, 12);
      return [one, two, cleared].map(received);
    },
  },
  'a message above the maximum packet size': {
    maxQueued: unlimited,
    play: async (stage) => {
      const client = await stage.client('one', { properties: { maximumPacketSize: 60 } });
      await subscribed(stage, client, 'open/#');
      const publisher = await stage.client('publisher');
      for (const [index, length] of [10, 100, 20].entries())
        publisher.publish(topic, 'x'.repeat(length), { messageId: index + 1 });
      await stage.settle();
      const acknowledged = publisher.of('puback').map(({ reasonCode }) => reasonCode);
      return [acknowledged, client.payloads.map((payload) => payload.length)];
    },
  },
  'a graceful restart': restart(false),
  'a graceful restart with an access control list': restart(true),
  SIGKILL: {
    maxQueued: unlimited,
    play: async (stage) => {
      const client = await stage.client('one');
      await subscribed(stage, client, topic);
      await stage.publish(topic, 1, 3);
      client.acknowledge(0, 1);
      await stage.settle();
      await leave(stage, client);
      await stage.publish(topic, 4, 5);
      await stage.saved();
      const between = await stage.client('one');
      between.acknowledge(0, 2);
      await stage.settle();
      await stage.publish(topic, 6, 7);
      await stage.restart('kill');
      const back = await stage.client('one');
      await stage.settle();
      return [received(client), received(between), sessionPresent(back), received(back)];
    },
  },
};

/** A plain subscriber and a member of a group, both offline; messages before and after the restart. */
function restart(hasAcl: boolean): Scenario {
  return {
    hasAcl,
    maxQueued: unlimited,
    play: async (stage) => {
      const [plain, member] = [await stage.client('plain'), await stage.client('member')];
      await subscribed(stage, plain, topic);
      await subscribed(stage, member, `$share/g/${topic}`);
      const publisher = await stage.client('publisher');
      publisher.publish(topic, 'retained', { retain: true, messageId: 1 });
      await stage.settle();
      await leave(stage, plain);
      await leave(stage, member);
      await stage.publish(topic, 1, 2);
      await stage.restart('clean');
      await stage.publish(topic, 3, 4);
      const back = [await stage.client('plain'), await stage.client('member')];
      await stage.settle();
      const fresh = await stage.client('fresh');
      await subscribed(stage, fresh, topic);
      return [back.map(sessionPresent), [...back, fresh].map(received)];
    },
  };
}

import { closersAfterEach, describeWithMosquitto, startMosquitto, until } from '@engawa/testing';
import { connectAsync } from 'mqtt';
import { startSubscriber } from './start-subscriber.ts';

const closers = closersAfterEach();

async function startBroker(): Promise<string> {
  const broker = await startMosquitto();
  closers.push(() => broker.close());
  return broker.url;
}

function subscribe(...args: Parameters<typeof startSubscriber>) {
  const started = startSubscriber(...args);
  closers.push(() => started.subscriber.close());
  return started;
}

/** Two members of a group, and a birth that each of them must receive. */
async function publishToGroup(version: '5' | '3.1.1') {
  const url = await startBroker();
  const topics = ['births/+'];
  const group = { version, group: 'g', topics, unsharedTopics: topics };
  const members = ['a', 'b'].map((clientId) => subscribe(url, { ...group, clientId }));
  await Promise.all(members.map(({ ready }) => ready()));
  const node = await connectAsync(url);
  closers.push(() => node.endAsync());
  await node.publishAsync('births/1', '', { qos: 1 });
  await until('a message for each member', () =>
    members.every(({ received }) => received.length > 0),
  );
  return { received: () => members.flatMap((member) => member.received) };
}

describeWithMosquitto('a topic that is not shared with the group', () => {
  it("is delivered to each member as a copy, in addition to the group's messages, over MQTT 5", async () => {
    const { received } = await publishToGroup('5');
    await until('a copy for each member, and one for the group', () => received().length === 3);
    expect(received().filter(({ isCopy }) => isCopy === true)).toHaveLength(2);
  });

  it('is delivered to each member, and not recognised as a copy, over MQTT 3.1.1', async () => {
    const { received } = await publishToGroup('3.1.1');
    expect(received().some(({ isCopy }) => isCopy === true)).toBe(false);
  });
});

describeWithMosquitto('a session formerly in a group', () => {
  it('has no copies, although a former subscription remains', async () => {
    const url = await startBroker();
    const session = { version: '5', clientId: 'a', topics: ['+/+'] } as const;
    const member = subscribe(url, { ...session, group: 'g', unsharedTopics: ['births/+'] });
    await member.ready();
    await member.subscriber.close();
    const { received, ready } = subscribe(url, session);
    await ready();
    const node = await connectAsync(url);
    closers.push(() => node.endAsync());
    await node.publishAsync('births/1', '', { qos: 1 });
    await until('the message', () => received.length > 0);
    expect(received.some(({ isCopy }) => isCopy === true)).toBe(false);
  });
});

describeWithMosquitto('a published message', () => {
  it('is sent over an established connection only', async () => {
    const { subscriber, received, ready } = subscribe(await startBroker(), { topics: ['x'] });
    expect(subscriber.publish('x', Buffer.from('early'))).toBe(false);
    await ready();
    expect(subscriber.publish('x', Buffer.from('now'))).toBe(true);
    await until('the message', () => received.length === 1);
    expect(received[0]).toMatchObject({ payload: Buffer.from('now'), qos: 0 });
    await subscriber.close();
    expect(subscriber.publish('x', Buffer.from('late'))).toBe(false);
  });
});

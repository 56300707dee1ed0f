import { startBroker } from '@engawa/embedded';
import { describeWithMosquitto, freePort, startMosquitto, until } from '@engawa/testing';
import { connectAsync } from 'mqtt';
import { startSubscriber } from './start-subscriber.ts';
import type { Message, SubscriberOptions } from '../src/index.ts';

let close: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of close.toReversed()) await step();
  close = [];
});

const topic = 'engawa/door/readings';

async function publish(url: string, payload: string, retain = true): Promise<void> {
  const client = await connectAsync(url);
  await client.publishAsync(topic, payload, { qos: 1, retain });
  await client.endAsync();
}

function subscribe(url: string, options: Partial<SubscriberOptions>) {
  const texts: string[] = [];
  const messages: Message[] = [];
  const repeated: string[] = [];
  const onMessage = (message: Message) => {
    messages.push(message);
    texts.push(message.payload.toString());
    message.release();
  };
  const onRepeated = (name: string) => repeated.push(name);
  const started = startSubscriber(url, { onMessage, onRepeated, ...options });
  close.push(() => started.subscriber.close());
  /** Resolves when all queued messages for this subscriber have arrived. */
  const caughtUp = async () => {
    await started.ready();
    await publish(url, 'end', false);
    await until('the end', () => texts.includes('end'));
  };
  return { ...started, messages, texts, repeated, caughtUp };
}

type Start = (port: number) => Promise<{ url: string; close(): Promise<void> }>;

function replays(start: Start, version: '5' | '3.1.1'): void {
  const begin = async () => {
    const port = await freePort();
    let broker = await start(port);
    close.push(() => broker.close());
    const restart = async () => {
      await broker.close();
      broker = await start(port);
    };
    return { url: broker.url, restart };
  };

  it('is one message for a process that resumes its session after the connection was lost', async () => {
    const { url } = await begin();
    const { texts, caughtUp, ready, loses } = subscribe(url, { version });
    await caughtUp();
    await publish(url, 'open');
    for (let cut = 0; cut < 3; cut++) {
      await loses(async () => {
        const intruder = await connectAsync(url, {
          clientId: 'engawa-test-0',
          clean: false,
          protocolVersion: version === '5' ? 5 : 4,
          ...(version === '5' && { properties: { sessionExpiryInterval: 3600 } }),
        });
        await intruder.endAsync(true);
      });
      await ready();
    }
    await caughtUp();
    expect(texts.filter((text) => text === 'open')).toHaveLength(1);
  });

  it('is one message for a session that several processes use, one after another', async () => {
    const { url } = await begin();
    await publish(url, 'open');
    const texts: string[][] = [];
    for (let process = 0; process < 3; process++) {
      const started = subscribe(url, { version });
      await started.caughtUp();
      await started.subscriber.close();
      texts.push(started.texts);
    }
    expect(texts).toEqual([['open', 'end'], ['end'], ['end']]);
  });

  it('is one message when the broker has forgotten the session and replays it', async () => {
    const { url, restart } = await begin();
    const { messages, ready, repeated, loses } = subscribe(url, { version });
    await ready();
    await publish(url, 'open');
    await until('the message', () => messages.length === 1);
    // On a busy machine the subscriber may be back before the publisher, and then it is no replay.
    for (let published = 2; repeated.length === 0; published++) {
      await loses(restart);
      // A broker without persistence has lost it, too: its publisher publishes it again.
      await publish(url, 'open');
      await ready();
      await until('the message', () => messages.length + repeated.length === published);
      expect(messages.some(({ retained }) => retained)).toBe(false);
    }
    expect(repeated).toEqual([topic]);
  });

  it('is a new message when its content is different', async () => {
    const { url, restart } = await begin();
    const { texts, ready, loses } = subscribe(url, { version });
    await ready();
    await publish(url, 'open');
    await until('the message', () => texts.length === 1);
    await loses(restart);
    await publish(url, 'closed');
    await until('the other one', () => texts.length === 2);
    expect(texts).toEqual(['open', 'closed']);
  });
}

describe('a retained message', () => {
  describe('of the embedded broker', () => replays((port) => startBroker({ port }), '3.1.1'));
  describeWithMosquitto('of Mosquitto, MQTT 3.1.1', () =>
    replays((port) => startMosquitto({ port }), '3.1.1'),
  );
  describeWithMosquitto('of Mosquitto, MQTT 5', () =>
    replays((port) => startMosquitto({ port }), '5'),
  );
});

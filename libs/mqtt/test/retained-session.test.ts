import { startRawBroker, until } from '@engawa/testing';
import { startSubscriber } from './start-subscriber.ts';
import type { Subscriber } from '../src/index.ts';
import type { RawBroker } from '@engawa/testing';

/** A session of MQTT 3.1.1: the broker replays its retained messages with each subscription. */
describe('a retained message that is replayed in a resumed session', () => {
  let broker: RawBroker;
  let subscriber: Subscriber;
  let texts: string[];
  let ready: () => Promise<unknown>;
  let messageId: number;
  let connections: number;
  let answersPings: boolean;

  beforeEach(async () => {
    [texts, messageId, connections, answersPings] = [[], 0, 0, true];
    const connack = () =>
      ({ cmd: 'connack', returnCode: 0, sessionPresent: ++connections > 1 }) as const;
    const pingresp = () => (answersPings ? ({ cmd: 'pingresp' } as const) : undefined);
    broker = await startRawBroker({ connack, pingresp }, 4);
    const started = startSubscriber(broker.url, {
      keepaliveSeconds: 1,
      onMessage: (message) => {
        texts.push(message.payload.toString());
        message.release();
      },
    });
    subscriber = started.subscriber;
    ready = started.ready;
  });
  afterEach(async () => {
    await subscriber.close();
    await broker.close();
  });

  function send(payload: string, retain: boolean): void {
    const topic = 'engawa/door/readings';
    const id = ++messageId;
    broker.send({ cmd: 'publish', topic, payload, qos: 1, messageId: id, dup: false, retain });
  }

  const seen = (name: string) => broker.seen.filter((packet) => packet === name).length;
  const acknowledged = () => until('acknowledgements', () => seen('puback') === messageId);

  /** Until the broker has answered two pings, the second of which follows all earlier packets. */
  async function pinged(): Promise<void> {
    const before = seen('pingreq');
    await until('two pings', () => seen('pingreq') >= before + 2);
  }

  async function reconnected(): Promise<void> {
    const before = seen('subscribe');
    broker.connections.at(-1)?.cut();
    await until('the subscription', () => seen('subscribe') > before);
  }

  it('is not another reading, where others have come on its topic since', async () => {
    await ready();
    send('open', false);
    send('closed', false);
    await acknowledged();
    await pinged();
    await reconnected();
    send('open', true);
    await acknowledged();
    expect(texts).toEqual(['open', 'closed']);
  });

  it('is not another reading, where it is replayed before the message itself', async () => {
    await ready();
    await pinged();
    await reconnected();
    send('open', true);
    send('open', false);
    await acknowledged();
    expect(texts).toEqual(['open']);
  });

  it('is a reading, where the first replay was interrupted', async () => {
    answersPings = false;
    await ready();
    send('open', true);
    await acknowledged();
    await reconnected();
    send('warm', true);
    await acknowledged();
    expect(texts).toEqual(['open', 'warm']);
  });
});

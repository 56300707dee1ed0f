import { duplexPair } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { generate } from 'mqtt-packet';
import { AcknowledgementGate } from './acknowledgement-gate.ts';
import { Window } from './window.ts';
import { FrameSplitter, packetType, typeOf } from './frames.ts';

const pingRequest = generate({ cmd: 'pingreq' });
const pingResponse = generate({ cmd: 'pingresp' });

/** A gate with the broker's end of its connection, and what the broker gets to see. */
function openGate({ window = 100, windowBytes = 1e6 } = {}) {
  const [socket, broker] = duplexPair();
  const strays: number[] = [];
  const shared = new Window(window, windowBytes);
  const gate = new AcknowledgementGate({
    open: () => socket,
    window: shared,
    onStray: (id) => strays.push(id),
  });
  /** Holds a message in the window and, where it has a packet identifier, its acknowledgement. */
  const hold = (bytes: number, messageId?: number) => {
    shared.add(bytes);
    const release = messageId === undefined ? () => undefined : gate.hold(messageId);
    return () => {
      shared.remove(bytes);
      release();
    };
  };
  const splitter = new FrameSplitter();
  const seen: Buffer[] = [];
  broker.on('data', (chunk: Buffer) => seen.push(...splitter.push(chunk)));
  const acknowledged = () =>
    seen
      .filter((frame) => typeOf(frame) === packetType.puback)
      .map((frame) => frame.readUInt16BE(2));
  return { gate, hold, broker, seen, strays, acknowledged };
}

function acknowledgement(messageId: number, properties = false): Buffer {
  if (!properties) return generate({ cmd: 'puback', messageId });
  const packet = {
    cmd: 'puback' as const,
    messageId,
    reasonCode: 0,
    properties: { reasonString: 'x'.repeat(150) },
  };
  return generate(packet, { protocolVersion: 5 });
}

async function settled(): Promise<void> {
  for (let index = 0; index < 5; index++) await turn();
}

describe('an acknowledgement', () => {
  it('leaves once, in the order of receipt, and only when its message and all before it are released', async () => {
    const identifiers = fc.uniqueArray(fc.integer({ min: 1, max: 65_535 }), {
      minLength: 1,
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(identifiers, fc.infiniteStream(fc.nat(1000)), async (messageIds, random) => {
        const next = (below: number): number => (random.next().value as number) % below;
        const { gate, hold, acknowledged } = openGate();
        const waiting = messageIds.map((messageId) => {
          const release = hold(1, messageId);
          gate.write(acknowledgement(messageId));
          return { messageId, release };
        });
        const released = new Set<number>();
        while (waiting.length > 0) {
          const [chosen] = waiting.splice(next(waiting.length), 1);
          chosen?.release();
          chosen?.release(); // twice is once
          released.add(chosen?.messageId ?? 0);
          if (next(3) > 0 && waiting.length > 0) continue;
          await settled();
          const held = messageIds.findIndex((messageId) => !released.has(messageId));
          expect(acknowledged()).toEqual(held === -1 ? messageIds : messageIds.slice(0, held));
        }
        gate.destroy();
      }),
      { numRuns: 50 },
    );
  });

  it('is held back however its bytes are written, and everything else passes at once', async () => {
    const { gate, hold, seen, acknowledged } = openGate();
    const release = hold(1, 7);
    const subscribe = generate({
      cmd: 'subscribe',
      messageId: 8,
      subscriptions: [{ topic: 'a', qos: 1 }],
    });
    for (const byte of Buffer.concat([acknowledgement(7), subscribe]))
      gate.write(Buffer.from([byte]));
    await settled();
    expect(seen).toEqual([subscribe]);
    release();
    await settled();
    expect(acknowledged()).toEqual([7]);
  });

  it('is recognised behind a long header too', async () => {
    const { gate, hold, seen } = openGate();
    const release = hold(1, 300);
    gate.write(acknowledgement(300, true));
    await settled();
    expect(seen).toEqual([]);
    release();
    await settled();
    expect(seen).toEqual([acknowledgement(300, true)]);
  });

  it('waits for mqtt.js where the message is released first', async () => {
    const { gate, hold, acknowledged } = openGate();
    hold(1, 1)();
    await settled();
    gate.write(acknowledgement(1));
    await settled();
    expect(acknowledged()).toEqual([1]);
  });

  it('of a message that this connection never brought is not sent', async () => {
    const { gate, seen, strays } = openGate();
    gate.write(acknowledgement(9));
    await settled();
    expect({ seen, strays }).toEqual({ seen: [], strays: [9] });
  });

  it('is not sent once the connection is gone', async () => {
    const { gate, hold, broker, seen } = openGate();
    const release = hold(1, 1);
    gate.write(acknowledgement(1));
    broker.destroy();
    gate.destroy();
    release();
    await settled();
    expect(seen).toEqual([]);
  });
});

describe('a full window', () => {
  const message = (payload: string) =>
    generate({ cmd: 'publish', topic: 't', qos: 0, dup: false, retain: false, payload });

  /** A gate that is read from, as mqtt.js reads. */
  function openReadGate(options: { window?: number; windowBytes?: number }) {
    const opened = openGate(options);
    const received: Buffer[] = [];
    const splitter = new FrameSplitter();
    opened.gate.on('data', (chunk: Buffer) => received.push(...splitter.push(chunk)));
    return { ...opened, received };
  }

  it.each([{ window: 2 }, { windowBytes: 20 }])(
    'stops reading until enough is released: %j',
    async (options) => {
      const { hold, broker, received } = openReadGate(options);
      const releases = [hold(10, 1), hold(10, 2)];
      broker.write(message('late'));
      await settled();
      expect(received).toEqual([]);
      releases[0]?.();
      await settled();
      expect(received).toEqual([message('late')]);
    },
  );

  it('counts messages without acknowledgement too', async () => {
    const { hold, broker, received } = openReadGate({ window: 1 });
    hold(10);
    broker.write(message('late'));
    await settled();
    expect(received).toEqual([]);
  });

  it('answers a ping that was sent before, too, and once', async () => {
    const { gate, hold, received } = openReadGate({ window: 1 });
    gate.write(pingRequest);
    await settled();
    expect(received).toEqual([]);
    hold(1)();
    hold(1);
    await settled();
    expect(received).toEqual([pingResponse]);
  });

  it('leaves a ping that the broker has answered alone', async () => {
    const { gate, hold, broker, received } = openReadGate({ window: 1 });
    gate.write(pingRequest);
    await settled();
    broker.write(pingResponse);
    await settled();
    hold(1);
    await settled();
    expect(received).toHaveLength(1);
  });

  it('is read all the same at the end', async () => {
    const { gate, hold, broker, received } = openReadGate({ window: 1 });
    hold(1);
    gate.pauseReading();
    broker.write(message('late'));
    await settled();
    expect(received).toEqual([]);
    gate.readToEnd();
    hold(1);
    broker.write(message('later'));
    await settled();
    expect(received).toEqual([message('late'), message('later')]);
  });

  it('answers pings in place of the broker, between packets, and only then', async () => {
    const { gate, hold, broker, seen, received } = openReadGate({ window: 1 });
    gate.write(pingRequest);
    await settled();
    broker.write(pingResponse);
    await settled();
    const whole = message('half of this comes later');
    broker.write(whole.subarray(0, 5));
    await settled();
    expect(received).toEqual([pingResponse]);
    const release = hold(1);
    gate.write(pingRequest);
    await settled();
    expect(received).toEqual([pingResponse, pingResponse]);
    expect(seen).toEqual([pingRequest, pingRequest]);
    release();
    broker.write(whole.subarray(5));
    await settled();
    expect(received.at(-1)).toEqual(whole);
  });
});

import fc from 'fast-check';
import { generate } from 'mqtt-packet';
import { openGate, settled } from '../../test/open-gate.ts';

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

describe('an acknowledgement', () => {
  it('is sent once, in the order of receipt, and only when its message and all earlier ones are released', async () => {
    const identifiers = fc.uniqueArray(fc.integer({ min: 1, max: 65_535 }), {
      minLength: 1,
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(identifiers, fc.infiniteStream(fc.nat(1000)), async (messageIds, random) => {
        const next = (below: number): number => (random.next().value as number) % below;
        const { gate, hold, acknowledged } = openGate();
        const waiting = messageIds.map((messageId) => {
          const release = hold(messageId);
          gate.write(acknowledgement(messageId));
          return { messageId, release };
        });
        const released = new Set<number>();
        while (waiting.length > 0) {
          const [chosen] = waiting.splice(next(waiting.length), 1);
          chosen?.release();
          chosen?.release(); // released twice
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

  it('is held back for any chunks of its bytes, while other packets pass at once', async () => {
    const { gate, hold, seen, acknowledged } = openGate();
    const release = hold(7);
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

  it('is recognised after a long header too', async () => {
    const { gate, hold, seen } = openGate();
    const release = hold(300);
    gate.write(acknowledgement(300, true));
    await settled();
    expect(seen).toEqual([]);
    release();
    await settled();
    expect(seen).toEqual([acknowledgement(300, true)]);
  });

  it('waits for mqtt.js where the message is released first', async () => {
    const { gate, hold, acknowledged } = openGate();
    hold(1)();
    await settled();
    gate.write(acknowledgement(1));
    await settled();
    expect(acknowledged()).toEqual([1]);
  });

  it('is not sent for a message of another connection', async () => {
    const { gate, seen, strays } = openGate();
    gate.write(acknowledgement(9));
    await settled();
    expect({ seen, strays }).toEqual({ seen: [], strays: [9] });
  });

  it('is not sent after the end of the connection', async () => {
    const { gate, hold, broker, seen } = openGate();
    const release = hold(1);
    gate.write(acknowledgement(1));
    broker.destroy();
    gate.destroy();
    release();
    await settled();
    expect(seen).toEqual([]);
  });
});

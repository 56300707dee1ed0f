import fc from 'fast-check';
import { generate } from 'mqtt-packet';
import { CompletePackets, splitPackets } from './frames.ts';

const packets = fc.array(
  fc.record({
    messageId: fc.integer({ min: 1, max: 65_535 }),
    bytes: fc.constantFrom(0, 1, 120, 128, 20_000),
  }),
  { minLength: 1, maxLength: 8 },
);

function publish({ messageId, bytes }: { messageId: number; bytes: number }): Buffer {
  const payload = Buffer.alloc(bytes, 'x');
  return generate({
    cmd: 'publish',
    topic: 'a/b',
    qos: 1,
    dup: false,
    retain: false,
    messageId,
    payload,
  });
}

describe('packets in a stream of bytes', () => {
  it('are complete for any chunks', () => {
    fc.assert(
      fc.property(packets, fc.array(fc.nat()), (sent, cuts) => {
        const frames = sent.map(publish);
        const stream = Buffer.concat(frames);
        const ends = [...cuts.map((cut) => cut % stream.length), stream.length].toSorted(
          (a, b) => a - b,
        );
        const splitter = new CompletePackets();
        const found = ends.flatMap((end, index) =>
          splitPackets(splitter.push(stream.subarray(ends[index - 1] ?? 0, end))),
        );
        // As bytes: comparing large buffers element by element takes seconds.
        expect(found.map((frame) => frame.length)).toEqual(frames.map((frame) => frame.length));
        expect(Buffer.concat(found).equals(stream)).toBe(true);
      }),
    );
  });

  it('are complete when they arrive byte by byte', () => {
    const frame = publish({ messageId: 1, bytes: 200 });
    const splitter = new CompletePackets();
    const found = [...frame].flatMap((byte) => splitPackets(splitter.push(Buffer.from([byte]))));
    expect(found).toEqual([frame]);
  });

  it('are rejected when the bytes are not MQTT', () => {
    expect(() => new CompletePackets().push(Buffer.from('ffffffffff', 'hex'))).toThrow(
      'the data is not MQTT',
    );
  });
});

import { once } from 'node:events';
import { connect } from 'node:net';

const mqttUrl = (): URL => new URL(process.env['MQTT_URL'] ?? 'mqtt://127.0.0.1:1883');

/** Publishes a message with QoS 1, and waits for its acknowledgement (MQTT 3.1.1, sections 3.1 to 3.4). */
export async function publish(topic: string, payload: Uint8Array | string): Promise<void> {
  const { hostname, port } = mqttUrl();
  const socket = connect(Number(port || 1883), hostname);
  try {
    await once(socket, 'connect');
    const id = text(`browser-test-${process.pid}`);
    const connectPacket = [text('MQTT'), Buffer.from([4, 2, 0, 60]), id];
    socket.write(packet(0x10, Buffer.concat(connectPacket)));
    await once(socket, 'data'); // CONNACK
    const body = Buffer.concat([text(topic), Buffer.from([0, 1]), Buffer.from(payload)]);
    socket.write(packet(0x32, body));
    await once(socket, 'data'); // PUBACK
  } finally {
    socket.end(Buffer.from([0xe0, 0]));
  }
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes]);
}

function packet(type: number, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from([type]), varint(BigInt(body.length)), body]);
}

/** Seven bits a byte, as MQTT and Protocol Buffers have it. */
function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7n) {
    if (rest < 0x80n) return Buffer.from([...bytes, Number(rest)]);
    bytes.push(Number(rest & 0x7fn) | 0x80);
  }
}

interface Metric {
  name?: string;
  alias: number;
  value: number;
}

/**
 * A Sparkplug payload with one metric of type Double (sparkplug_b.proto, version 3.0).
 * @param time epoch milliseconds
 */
export function sparkplug(time: number, { name, alias, value }: Metric): Buffer {
  const double = Buffer.alloc(8);
  double.writeDoubleLE(value);
  const metric = Buffer.concat([
    ...(name === undefined ? [] : [field(1, 2), varint(BigInt(name.length)), Buffer.from(name)]),
    ...[field(2, 0), varint(BigInt(alias)), field(4, 0), varint(10n)],
    ...[field(13, 1), double],
  ]);
  const stamp = [field(1, 0), varint(BigInt(time))];
  return Buffer.concat([...stamp, field(2, 2), varint(BigInt(metric.length)), metric]);
}

/** The tag of a field of Protocol Buffers. */
function field(number: number, wireType: number): Buffer {
  return varint(BigInt((number << 3) | wireType));
}

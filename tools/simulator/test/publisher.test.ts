import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { generate, parser } from 'mqtt-packet';
import type { PublisherOptions } from '../src/publisher.ts';
import { Publisher } from '../src/publisher.ts';
import type { TestBroker } from './broker.ts';
import { startBroker } from './broker.ts';

/** Close functions of all that a test opened; called in reverse order, also after a failure. */
const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  while (opened.length > 0) await opened.pop()?.();
});

async function openBroker(options: Parameters<typeof startBroker>[0]): Promise<TestBroker> {
  const broker = await startBroker(options);
  opened.push(() => broker.close());
  return broker;
}

function openPublisher(options: Partial<PublisherOptions> & { url: string }): Publisher {
  const publisher = new Publisher({ version: '3.1.1', print: () => undefined, ...options });
  opened.push(() => publisher.close(10));
  return publisher;
}

const signal = new AbortController().signal;
const message = { topic: 'engawa/one/readings', payload: '{}' };

it('never has more messages in flight than its window', async () => {
  const broker = await openBroker({ hold: true });
  const publisher = openPublisher({ url: broker.url, window: 3 });
  for (let sent = 0; sent < 3; sent += 1) await publisher.publish(message, signal);
  const stop = new AbortController();
  const fourth = publisher.publish(message, stop.signal);
  stop.abort();
  await expect(fourth).rejects.toThrow('aborted');
  expect(publisher).toMatchObject({ sent: 3, inFlight: 3, acknowledged: 0 });
});

it('rejects an invalid address without printing its password', () => {
  const url = 'http://user:secret@127.0.0.1';
  const make = () => new Publisher({ url, version: '5', print: () => undefined });
  expect(make).toThrow('The MQTT address is not valid');
  expect(make).not.toThrow('secret');
});

it('resends messages in flight on the next connection after one broke', async () => {
  const first = await openBroker({ hold: true });
  const lines: string[] = [];
  const publisher = openPublisher({ url: first.url, print: (line) => lines.push(line) });
  let acknowledged = false;
  await publisher.publish(message, signal, () => {
    acknowledged = true;
  });
  await first.close();
  const second = await openBroker({ port: Number(new URL(first.url).port) });
  await publisher.settled(signal);
  expect(acknowledged).toBe(true);
  expect(second.received).toEqual([message]);
  expect(lines.at(-1)).toBe(`connected to ${first.url}`);
  expect(lines.filter((line) => line.includes('connection'))).toHaveLength(1);
});

it('respects the Receive Maximum of an MQTT 5 broker, and reports a rejected message', async () => {
  // No broker refuses on command: this one answers the first two messages, one of them with a no.
  let published = 0;
  const server = createServer((socket) => {
    const packets = parser({ protocolVersion: 5 });
    const answer = (packet: Parameters<typeof generate>[0]) =>
      socket.write(generate(packet, { protocolVersion: 5 }));
    packets.on('packet', ({ cmd, messageId }) => {
      if (cmd === 'connect') {
        const properties = { receiveMaximum: 4 };
        answer({ cmd: 'connack', reasonCode: 0, sessionPresent: false, properties });
      }
      if (cmd !== 'publish') return;
      published += 1;
      if (published === 1) answer({ cmd: 'puback', messageId, reasonCode: 0x87 });
      if (published === 2) answer({ cmd: 'puback', messageId, reasonCode: 0 });
      if (published === 6) server.emit('six');
    });
    socket.on('data', (chunk) => packets.parse(chunk));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.push(() => {
    server.close();
    return once(server, 'close');
  });
  const url = `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const lines: string[] = [];
  const publisher = openPublisher({ url, version: '5', print: (line) => lines.push(line) });

  const six = once(server, 'six');
  for (let sent = 0; sent < 6; sent += 1) await publisher.publish(message, signal);
  await six;
  const stop = new AbortController();
  const seventh = publisher.publish(message, stop.signal);
  stop.abort();
  await expect(seventh).rejects.toThrow('aborted');
  expect(publisher).toMatchObject({ sent: 6, acknowledged: 1, refused: 1, inFlight: 4 });
  expect(lines).toEqual([
    `connected to ${url}`,
    `${url}: message to ${message.topic} refused: Publish error: Not authorized`,
  ]);
});

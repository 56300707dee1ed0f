import { openBeforeAll, startRawBroker, until } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';
import type { RawBroker } from '@engawa/testing';
import type { Packet } from 'mqtt-packet';

const fixture = openBeforeAll(() => IngestionFixture.open());
let broker: RawBroker;
afterEach(async () => {
  await fixture.service?.close();
  await broker.close();
});

/** CONNACK with "server unavailable", which a broker sends while it starts. */
const refusal = { cmd: 'connack', returnCode: 3, reasonCode: 0x88, sessionPresent: false } as const;
const accepted = { cmd: 'connack', returnCode: 0, reasonCode: 0, sessionPresent: true } as const;

/** A broker that keeps its sessions, and refuses the second connection. */
async function startRefusingBroker(version: '5' | '3.1.1'): Promise<void> {
  let connections = 0;
  const connack = (): Packet => (++connections === 2 ? refusal : accepted);
  // With a response to a ping, the broker would confirm that it has processed all acknowledgements.
  const pingresp = (): undefined => undefined;
  broker = await startRawBroker({ connack, pingresp }, version === '5' ? 5 : 4);
  await fixture.start({ MQTT_URL: broker.url, MQTT_VERSION: version, MQTT_SELF_TEST: 'off' });
}

const open = { messageId: 1, payload: '{"contact":false}' };
const closed = { messageId: 2, payload: '{"contact":true}' };

function send(device: string, message: typeof open & { dup?: boolean; retain?: boolean }): void {
  const topic = `engawa/${device}/readings`;
  broker.send({ cmd: 'publish', topic, qos: 1, dup: false, retain: false, ...message });
}

/** Cuts the connection. The broker refuses the next connection, and accepts the one after it. */
async function reconnected(): Promise<void> {
  broker.connections.at(-1)?.cut();
  const isSubscribed = () => broker.connections[2]?.packets.some(({ cmd }) => cmd === 'subscribe');
  await until('the third connection', () => isSubscribed() === true);
}

const acknowledged = () =>
  until(
    'the acknowledgement',
    () => broker.connections.at(-1)?.packets.some(({ cmd }) => cmd === 'puback') === true,
  );

describe.each(['5', '3.1.1'] as const)('after a refused connection (MQTT %s)', (version) => {
  it('a redelivered message without a time is the same reading', async () => {
    const device = `redelivered-${version}`;
    await startRefusingBroker(version);
    send(device, open);
    await acknowledged();
    await reconnected();
    send(device, { ...open, dup: true });
    await acknowledged();
    expect(await fixture.readingsOf(device)).toHaveLength(1);
  });
});

it('a retained message that is replayed in the resumed session is the same reading (MQTT 3.1.1)', async () => {
  await startRefusingBroker('3.1.1');
  send('replayed', open);
  send('replayed', closed);
  await until('both readings', async () => (await fixture.readingsOf('replayed')).length === 2);
  await reconnected();
  send('replayed', { ...open, messageId: 3, retain: true });
  await acknowledged();
  expect(await fixture.readingsOf('replayed')).toHaveLength(2);
});

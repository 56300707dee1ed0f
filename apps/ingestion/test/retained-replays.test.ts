import { openBeforeAll, until } from '@engawa/testing';
import { connectAsync } from 'mqtt';
import { IngestionFixture } from './ingestion-fixture.ts';

const fixture = openBeforeAll(() => IngestionFixture.open());
afterEach(async () => {
  await fixture.service?.close();
  // An empty payload clears the retained message.
  for (const topic of retained.splice(0))
    await fixture.device.publishAsync(topic, '', { retain: true });
});

const retained: string[] = [];
const topicOf = (device: string) => `engawa/${device}/readings`;

/** The broker replays the message to each new session. */
function retain(topic: string, payload: unknown): Promise<unknown> {
  retained.push(topic);
  return fixture.device.publishAsync(topic, JSON.stringify(payload), { qos: 1, retain: true });
}

/** A new container: its host name, and so its client identifier, is another one. */
async function restart(clientId: string, settings: Record<string, string> = {}): Promise<void> {
  await fixture.service?.close();
  await fixture.start({ MQTT_CLIENT_ID: clientId, ...settings });
}

const messages = (outcome: string) => fixture.metric('engawa_ingest_messages_total', { outcome });
const valuesOf = async (device: string) =>
  (await fixture.readingsOf(device)).map(({ fields }) => fields);

describe('a retained message without a time, replayed to a process with another client identifier', () => {
  it('is no other reading where the device has no newer values', async () => {
    await restart('first-a');
    await retain(topicOf('door'), { contact: true });
    await fixture.settled(1);
    await restart('first-b');
    await until('the replay', async () => (await messages('repeated')) === 1);
    expect(await messages('stored')).toBe(0);
    expect(await valuesOf('door')).toEqual([{ contact: true }]);
  });

  it('is no other reading of a device that is not in the list of devices yet', async () => {
    const unlisted = await fixture.openProxy();
    unlisted.fateOf = ({ operation, body }) =>
      operation === 'UpdateItem' && body.includes('gsi1pk') ? 'throttled' : 'answered';
    await restart('unlisted-a', { DYNAMODB_ENDPOINT: unlisted.endpoint });
    await retain(topicOf('hatch'), { contact: true });
    await fixture.settled(1);
    await restart('unlisted-b');
    await until('the replay', async () => (await messages('repeated')) === 1);
    expect(await valuesOf('hatch')).toEqual([{ contact: true }]);
  });

  it('is refused where the device is not registered, and new devices are not admitted', async () => {
    await restart('closed', { DEVICE_ADMISSION: 'closed' });
    await retain(topicOf('unknown'), { contact: true });
    await until('a dead letter', async () => (await messages('dead_lettered')) === 1);
    expect(await valuesOf('unknown')).toEqual([]);
  });

  it('is a reading where the device has other values', async () => {
    await restart('second-a');
    await retain(topicOf('window'), { contact: true });
    await until('the first', async () => (await valuesOf('window')).length === 1);
    await fixture.service?.close();
    await retain(topicOf('window'), { contact: false });
    await restart('second-b');
    await until('the second', async () => (await valuesOf('window')).length === 2);
    expect(await valuesOf('window')).toEqual([{ contact: true }, { contact: false }]);
  });

  it('is compared with the newest value of each field, whichever message had it', async () => {
    const settings = { DECODERS: 'statestream=tower/+/+/+' };
    const publish = (field: string, value: unknown) => retain(`tower/sensor/lobby/${field}`, value);
    await restart('third-a', settings);
    for (const value of [20, 21]) await publish('state', value);
    await publish('unit', 'degrees');
    await until('all', async () => (await messages('stored')) === 3);
    await restart('third-b', settings);
    await until('both replays', async () => (await messages('repeated')) === 2);
    expect(await messages('stored')).toBe(0);
  });
});

describe('a retained message in a session that outlives the process', () => {
  it('is received once, and its changes while the process was away are received, too', async () => {
    await restart('kept');
    await retain(topicOf('blind'), { position: 1 });
    await fixture.settled(1);
    await fixture.service?.close();
    for (const position of [2, 1]) await retain(topicOf('blind'), { position });
    await restart('kept');
    await until('both changes, and the replay', async () => {
      return (await messages('stored')) === 2 && (await messages('repeated')) === 1;
    });
    expect((await valuesOf('blind')).map(({ position }) => position)).toEqual([1, 2, 1]);
    await restart('kept');
    await until('the replay', async () => (await messages('repeated')) === 1);
    expect(await messages('stored')).toBe(0);
  });

  it('is compared with stored values where the broker has lost the session', async () => {
    const loseSession = async () => {
      await fixture.service?.close();
      const url = fixture.environment['MQTT_URL'] ?? '';
      const other = await connectAsync(url, { clientId: 'lost', clean: true });
      await other.endAsync();
    };
    await restart('lost');
    await retain(topicOf('valve'), { open: true });
    await fixture.settled(1);
    await loseSession();
    await restart('lost');
    await until('the replay', async () => (await messages('repeated')) === 1);
    await loseSession();
    await retain(topicOf('valve'), { open: false });
    await restart('lost');
    await until('the change', async () => (await messages('stored')) === 1);
    expect(await valuesOf('valve')).toEqual([{ open: true }, { open: false }]);
  });
});

describe('a message that is published with the retain flag while the process is subscribed', () => {
  // Also what a bridge publishes again when it connects: nothing tells it from a device that reports an equal value.
  it('is a reading each time, with equal values as well', async () => {
    await restart('live');
    for (let count = 1; count <= 3; count++) {
      await retain(topicOf('heater'), { level: 5 });
      await fixture.settled(count);
    }
    expect(await messages('stored')).toBe(3);
    expect(await valuesOf('heater')).toHaveLength(3);
  });

  it('is no reading if it only clears the retained message', async () => {
    const settings = { DECODERS: 'zigbee2mqtt' };
    await restart('cleared', settings);
    await retain('zigbee2mqtt/siren', { level: 5 });
    await fixture.settled(1);
    await fixture.device.publishAsync('zigbee2mqtt/siren', '', { qos: 1, retain: true });
    await fixture.settled(2);
    expect(await messages('ignored')).toBe(1);
    await restart('cleared-again', settings);
    await fixture.publish('zigbee2mqtt/other', '{"level":1}');
    await fixture.settled(1);
    expect(await valuesOf('siren')).toEqual([{ level: 5 }]);
  });
});

describe('a retained message with a time', () => {
  it('is the same reading in each session', async () => {
    const ts = Date.now() - 3_600_000;
    await restart('timed-a');
    await retain(topicOf('gauge'), { ts, level: 1 });
    await fixture.settled(1);
    await fixture.publish(topicOf('gauge'), JSON.stringify({ ts: ts + 1000, level: 2 }));
    await fixture.settled(2);
    await restart('timed-b');
    await fixture.settled(1);
    expect(await fixture.readingsOf('gauge')).toEqual([
      { time: ts, fields: { level: 1 } },
      { time: ts + 1000, fields: { level: 2 } },
    ]);
  });
});

describe('the comparison with stored values', () => {
  it('costs one Query for each retained message, and none for others', async () => {
    const proxy = await fixture.openProxy();
    let queries = 0;
    proxy.fateOf = ({ operation, body }) => {
      if (operation === 'Query' && body.includes('DEVICE#lamp')) queries += 1;
      return 'answered';
    };
    await retain(topicOf('lamp'), { level: 0 });
    await restart('price', { DYNAMODB_ENDPOINT: proxy.endpoint });
    for (let level = 1; level <= 10; level++)
      await fixture.publish(topicOf('lamp'), JSON.stringify({ level }));
    await until('all', async () => (await valuesOf('lamp')).length === 11);
    expect(queries).toBe(1);
    await restart('price-again', { DYNAMODB_ENDPOINT: proxy.endpoint });
    await until('the replay', async () => (await messages('stored')) === 1);
    expect(queries).toBe(2);
  });

  it('that fails does not lose the reading', async () => {
    const proxy = await fixture.openProxy();
    await retain(topicOf('plug'), { level: 1 });
    await restart('refused', { DYNAMODB_ENDPOINT: proxy.endpoint });
    await until('the reading', async () => (await valuesOf('plug')).length === 1);
    proxy.fateOf = ({ operation, body }) =>
      operation === 'Query' && body.includes('DEVICE#plug') ? 'refused' : 'answered';
    await restart('refused-again', { DYNAMODB_ENDPOINT: proxy.endpoint });
    await until('another', async () => (await valuesOf('plug')).length === 2);
  });
});

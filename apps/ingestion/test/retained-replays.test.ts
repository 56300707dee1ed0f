import { until } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';

let fixture: IngestionFixture;
beforeAll(async () => {
  fixture = await IngestionFixture.open();
}, 60_000);
afterEach(async () => {
  await fixture.service?.close();
  // An empty payload clears the retained message.
  for (const topic of retained.splice(0))
    await fixture.device.publishAsync(topic, '', { retain: true });
});
afterAll(() => fixture.close());

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

describe('the comparison with stored values', () => {
  it('costs one Query for each retained message, and none for others', async () => {
    const proxy = await fixture.openProxy();
    let queries = 0;
    proxy.fateOf = ({ operation, text }) => {
      if (operation === 'Query' && text.includes('DEVICE#lamp')) queries += 1;
      return 'answered';
    };
    await retain(topicOf('lamp'), { level: 0 });
    await restart('price', { DYNAMODB_ENDPOINT: proxy.endpoint });
    for (let level = 1; level <= 10; level++)
      await fixture.publish(topicOf('lamp'), JSON.stringify({ level }));
    await until('all', async () => (await valuesOf('lamp')).length === 11);
    expect(queries).toBe(0);
    await restart('price-again', { DYNAMODB_ENDPOINT: proxy.endpoint });
    await until('the replay', async () => (await messages('stored')) === 1);
    expect(queries).toBe(1);
  });

  it('that fails does not lose the reading', async () => {
    const proxy = await fixture.openProxy();
    await retain(topicOf('plug'), { level: 1 });
    await restart('refused', { DYNAMODB_ENDPOINT: proxy.endpoint });
    await until('the reading', async () => (await valuesOf('plug')).length === 1);
    proxy.fateOf = ({ operation, text }) =>
      operation === 'Query' && text.includes('DEVICE#plug') ? 'refused' : 'answered';
    await restart('refused-again', { DYNAMODB_ENDPOINT: proxy.endpoint });
    await until('another', async () => (await valuesOf('plug')).length === 2);
  });
});

import { openBeforeAll, startRawBroker, until } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';

const fixture = openBeforeAll(() => IngestionFixture.open());
afterEach(() => fixture.service?.close());

const unmet = () => fixture.service?.context.readiness.unavailableReasons() ?? [];

it('a session expiry shorter than configured leaves the service ready, and degraded', async () => {
  const properties = { sessionExpiryInterval: 60 };
  const connack = { cmd: 'connack', reasonCode: 0, sessionPresent: false, properties } as const;
  const broker = await startRawBroker({ connack: () => connack });
  await fixture.launch({ MQTT_URL: broker.url, MQTT_VERSION: '5', MQTT_SELF_TEST: 'off' });
  await until('the subscription', () => unmet().every(({ name }) => name === 'brokerLimits'));
  expect(unmet()).toMatchObject([{ name: 'brokerLimits', blocks: false }]);
  expect(unmet()[0]?.reason).toContain('for 60 s');
  expect(await fixture.metric('engawa_ready')).toBe(1);
  expect(await fixture.metric('engawa_mqtt_broker_limits', { limit: 'session_expiry' })).toBe(1);
  const message = { payload: '{"contact":true}', qos: 1, messageId: 1, dup: false } as const;
  broker.send({ cmd: 'publish', topic: 'engawa/d/readings', retain: false, ...message });
  await until('the reading', async () => (await fixture.readingsOf('d')).length === 1);
  await broker.close();
});

it('a group at a broker without shared subscriptions is not ready (MQTT 3.1.1)', async () => {
  await fixture.launch({ MQTT_GROUP: 'engawa' });
  const reason = () => unmet().find(({ name }) => name === 'mqtt')?.reason;
  await until('the reason', () => reason()?.includes('shared subscriptions, so') === true);
  expect(unmet()).toMatchObject([
    { name: 'mqtt', blocks: true },
    { name: 'brokerLimits', blocks: false },
  ]);
  expect(await fixture.metric('engawa_ready')).toBe(0);
});

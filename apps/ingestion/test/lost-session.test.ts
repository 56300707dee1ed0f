import { startBroker } from '@engawa/embedded';
import { openBeforeAll, startRawBroker, until } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';
import type { Packet } from 'mqtt-packet';

const fixture = openBeforeAll(() => IngestionFixture.open());

it('a session that the broker lost while no process was connected is counted', async () => {
  const lost = () => fixture.metric('engawa_mqtt_sessions_lost_total');
  const first = await fixture.start();
  await until('the record', async () => (await fixture.items('SESSION#ingestion-0')).length === 1);
  expect(await lost()).toBe(0);
  await first.close();

  const again = await fixture.start();
  expect(await lost()).toBe(0);
  await again.close();

  // The broker does not know the session, like one without persistence after a restart.
  const forgetful = await startBroker();
  await fixture.start({ MQTT_URL: forgetful.url });
  await until('the loss', async () => (await lost()) === 1);
  await fixture.service?.close();
  await forgetful.close();
});

it('a session stays known where the broker refuses that the replica leaves its group', async () => {
  const unsuback = ({ messageId = 0 }: Packet): Packet => {
    return { cmd: 'unsuback', messageId, granted: [0x87] };
  };
  const broker = await startRawBroker({ unsuback });
  const name = { MQTT_CLIENT_ID: 'ingestion-1', MQTT_GROUP: 'engawa', MQTT_SELF_TEST: 'off' };
  const service = await fixture.start({ MQTT_URL: broker.url, MQTT_VERSION: '5', ...name });
  const records = () => fixture.items('SESSION#ingestion-1');
  await until('the record', async () => (await records()).length === 1);
  await service.close();
  expect(broker.seen).toContain('unsubscribe');
  expect(await records()).toHaveLength(1);
  await broker.close();
});

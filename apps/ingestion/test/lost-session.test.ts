import { startBroker } from '@engawa/embedded';
import { until } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';

let fixture: IngestionFixture;
beforeAll(async () => {
  fixture = await IngestionFixture.open();
}, 60_000);
afterAll(() => fixture.close());

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
}, 60_000);

import { startBroker } from '@engawa/embedded';
import { ensureTable } from '@engawa/table';
import {
  announcedProgress,
  announcedSeed,
  closersAfterEach,
  CpuQuota,
  describeWithCpuQuota,
  metricValue,
  openDynamoDb,
  until,
} from '@engawa/testing';
import { countReadings } from '../oracle.ts';
import { Publisher } from '../publisher.ts';
import { startServiceProcess } from '../service-process.ts';

const devices = 2000;
/** Of one CPU: what the chart requests for ingestion. */
const share = 0.25;

describeWithCpuQuota('ingestion with a quarter of a CPU', () => {
  const closers = closersAfterEach();

  it(`stores the first readings of ${devices} new devices`, async () => {
    const quota = CpuQuota.create(share);
    closers.push(() => quota.close());
    const [engine, broker] = await Promise.all([openDynamoDb(), startBroker()]);
    closers.push(
      () => engine.close(),
      () => broker.close(),
    );
    const tableName = engine.tableNamed('engawa');
    await ensureTable({ tableName, endpoint: engine.endpoint, timeoutMs: 60_000 });
    const environment = {
      TABLE_NAME: tableName,
      DYNAMODB_ENDPOINT: engine.endpoint,
      CURSOR_SECRET: 'x'.repeat(32),
    };
    const query = await startServiceProcess('query', environment);
    closers.push(() => query.end('SIGTERM'));
    const subscription = { MQTT_URL: broker.url, MQTT_VERSION: '3.1.1', MQTT_CLIENT_ID: 'one' };
    const ingestion = await startServiceProcess(
      'ingestion',
      { ...environment, ...subscription },
      { quota },
    );
    closers.push(() => ingestion.end('SIGKILL'));

    const seed = announcedSeed('mass registration');
    const publisher = await Publisher.connect({
      url: broker.url,
      seed,
      devices,
      concurrency: 500,
    });
    closers.push(() => publisher.close());
    await publisher.publish(devices);
    const stored = () => metricValue(ingestion.metricsUrl, 'engawa_ingest_readings_total');
    await until('the readings of all devices', async () => (await stored()) >= devices, {
      progress: announcedProgress('readings stored', stored),
    });
    expect(await countReadings(query.url, publisher.taken)).toEqual({
      taken: devices,
      stored: devices,
      deadLettered: 0,
      lost: 0,
      duplicated: 0,
      missing: [],
    });
    expect(quota.throttledPeriods).toBeGreaterThan(0);
  });
});

import { describeWithMosquitto, startMosquitto, startRawBroker, until } from '@engawa/testing';
import { startService } from '@engawa/service';
import { connectAsync } from 'mqtt';
import { pino } from 'pino';
import * as ingestion from '../src/start.ts';
import { IngestionFixture } from './ingestion-fixture.ts';
import { sparkplugPayload } from './sparkplug.ts';
import type { RunningService } from '@engawa/service';
import type { ISubscribePacket } from 'mqtt-packet';

const int32 = 3;
const born = (name: string, alias: number) => ({ name, alias, datatype: int32, intValue: 0 });

let fixture: IngestionFixture;
const closers: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  fixture = await IngestionFixture.open();
});
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
  await fixture.close();
});

async function startReplica(environment: Record<string, string>): Promise<RunningService<unknown>> {
  const service = await startService({
    name: 'ingestion',
    module: ingestion,
    environment: { ...fixture.environment, MQTT_VERSION: '5', ...environment },
    logDestination: pino.destination('/dev/null'),
  });
  closers.push(() => service.close());
  await until('a replica', () => service.context.readiness.unavailableReasons().length === 0);
  return service;
}

/** Messages with an outcome. */
async function messages({ context }: RunningService<unknown>, outcome?: string): Promise<number> {
  const metric = await context.registry.getSingleMetric('engawa_ingest_messages_total')?.get();
  return (metric?.values ?? [])
    .filter(({ labels }) => outcome === undefined || labels['outcome'] === outcome)
    .reduce((sum, { value }) => sum + value, 0);
}

describeWithMosquitto('two replicas in a group', () => {
  it('resolve aliases by the birth before the data, whichever receives it, and store each birth once', async () => {
    const broker = await startMosquitto();
    closers.push(() => broker.close());
    const group = { MQTT_URL: broker.url, MQTT_GROUP: 'g' };
    const replicas = await Promise.all(
      [0, 1].map((number) =>
        startReplica({ ...group, MQTT_CLIENT_ID: `i-${number}`, MQTT_CONNECTIONS: '2' }),
      ),
    );
    const node = await connectAsync(broker.url);
    closers.push(() => node.endAsync());
    let clock = Date.now() - 600_000;
    const publish = (type: string, metrics: Record<string, unknown>[]) => {
      clock += 2;
      const payload = Buffer.from(sparkplugPayload(metrics, { timestamp: clock }));
      return node.publishAsync(`spBv1.0/G/${type}/E`, payload, { qos: 1 });
    };
    const [births, dataOfBirth] = [10, 40];
    const sent: Promise<unknown>[] = [];
    for (let birth = 0; birth < births; birth += 1) {
      const isEven = birth % 2 === 0;
      sent.push(publish('NBIRTH', [born('even', isEven ? 1 : 2), born('odd', isEven ? 2 : 1)]));
      for (let count = 0; count < dataOfBirth; count += 1) {
        sent.push(publish('NDATA', [{ alias: 1, intValue: isEven ? 1000 : 2000 }]));
      }
    }
    await Promise.all(sent);
    const stored = births * (dataOfBirth + 1);
    const total = async (outcome: string) =>
      (await Promise.all(replicas.map((replica) => messages(replica, outcome)))).reduce(
        (sum, count) => sum + count,
      );
    await until('all messages', async () => (await total('stored')) >= stored);
    // A copy of each birth over each of four connections.
    await until('all copies', async () => (await total('ignored')) === births * 4);
    expect([await total('stored'), await total('dead_lettered')]).toEqual([stored, 0]);
    const ofEach = await Promise.all(replicas.map((replica) => messages(replica, 'stored')));
    expect(Math.min(...ofEach)).toBeGreaterThan(0);
    const readings = await fixture.readingsOf('G/E');
    const valuesOf = (field: string) => new Set(readings.map(({ fields }) => fields[field]));
    expect(valuesOf('even')).toEqual(new Set([0, 1000, undefined]));
    expect(valuesOf('odd')).toEqual(new Set([0, 2000, undefined]));
  });
});

describe('a replica without a group', () => {
  it('subscribes once', async () => {
    const broker = await startRawBroker();
    closers.push(() => broker.close());
    await startReplica({ MQTT_URL: broker.url, DECODERS: 'sparkplug' });
    const subscribed = broker.connections.flatMap(({ packets }) =>
      packets.filter(({ cmd }) => cmd === 'subscribe'),
    ) as ISubscribePacket[];
    const topics = subscribed.flatMap(({ subscriptions }) =>
      subscriptions.map(({ topic }) => topic),
    );
    expect(topics).toEqual(['spBv1.0/+/+/+', 'spBv1.0/+/+/+/+']);
  });
});

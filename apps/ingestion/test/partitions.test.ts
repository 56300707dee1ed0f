import { topicPartitionOf } from '@engawa/mqtt';
import { describeWithMosquitto, openBeforeAll, startMosquitto, until } from '@engawa/testing';
import { connectAsync } from 'mqtt';
import { IngestionFixture } from './ingestion-fixture.ts';

const partitions = 4;
const rounds = 20;
/** Four sensors of each partition; each fourth message is of the same partition. */
const topics = [0, 1, 2, 3].flatMap((index) =>
  [0, 1, 2, 3].map((partition) => topicIn(partition, index)),
);

function topicIn(partition: number, index: number): string {
  const all = Array.from({ length: 100 }, (_, sensor) => `engawa/sensor-${sensor}/readings`);
  return all.filter((topic) => topicPartitionOf(topic, partitions) === partition)[index] ?? '';
}

describeWithMosquitto('a replica with one of four partitions', () => {
  const fixture = openBeforeAll(() => IngestionFixture.open());

  it('stores its messages before the linger ends, at a broker with 20 messages in flight', async () => {
    // The messages of other partitions take three quarters of the broker's window, and wait for the acknowledgements of
    // earlier messages of this partition.
    const broker = await startMosquitto();
    await fixture.start({
      ...{ MQTT_URL: broker.url, MQTT_CLIENT_ID: 'ingestion-0', LINGER_MS: '60000' },
      ...{ MQTT_PARTITIONS: String(partitions), MQTT_REPLICAS: String(partitions) },
    });
    const publisher = await connectAsync(broker.url);
    for (let round = 0; round < rounds; round++) {
      const payload = JSON.stringify({ temperature: round });
      await Promise.all(topics.map((topic) => publisher.publishAsync(topic, payload, { qos: 1 })));
    }
    const stored = () => fixture.metric('engawa_ingest_messages_total', { outcome: 'stored' });
    // The last messages are fewer than a window, so they linger.
    const enough = rounds * 4 - 20;
    await until('all but a window', async () => (await stored()) >= enough, { progress: stored });
    await publisher.endAsync();
    await fixture.service?.close();
    await broker.close();
  });
});

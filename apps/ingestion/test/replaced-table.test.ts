import { DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { birthPartition, deviceKey } from '@engawa/keys';
import { ensureTable } from '@engawa/table';
import { describeOnEmbedded, dynamoDbError, openBeforeEach, until } from '@engawa/testing';
import { IngestionFixture, restarts } from './ingestion-fixture.ts';
import { sparkplugPayload } from './sparkplug.ts';

const fixture = openBeforeEach(() => IngestionFixture.open());

const send = (device: string, ...times: number[]) =>
  fixture.publish(`engawa/${device}/readings`, JSON.stringify(times.map((ts) => ({ ts, x: 1 }))));
const stored = async (device: string) => (await fixture.readingsOf(device)).length;
const item = (device: string) => fixture.table.get(deviceKey(device));

const location = () => ({
  tableName: fixture.table.tableName,
  region: 'local',
  endpoint: String(fixture.environment['DYNAMODB_ENDPOINT']),
  timeoutMs: 60_000,
});

/** Within milliseconds: no request meets the absence of the table. */
async function replaceTable(): Promise<void> {
  const { tableName: TableName, region, endpoint } = location();
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ region, endpoint, credentials });
  await client.send(new DeleteTableCommand({ TableName }));
  client.destroy();
  await ensureTable(location());
}

describeOnEmbedded(restarts, 'a table that is deleted and created again', () => {
  it('has the devices that send readings, with the spans of their blocks', async () => {
    await fixture.start();
    const minute = 60_000;
    const now = Date.now();
    await send('known', now - 5 * minute, now - 4 * minute);
    await send('quiet', now - 5 * minute);
    await until(
      'the readings',
      async () => (await stored('known')) + (await stored('quiet')) === 3,
    );
    await replaceTable();
    // Stored in the new table while ingestion still knows the device from the former one.
    await send('known', now - 3 * minute, now - 2 * minute);
    await until('the reading', async () => (await stored('known')) === 2);
    await until('the device', async () => (await item('known'))?.['span'] === 64);
    await send('quiet', now - minute);
    await until('the other reading', async () => (await stored('quiet')) === 1);
    expect(await until('the other device', () => item('quiet'))).toMatchObject({ id: 'quiet' });
  });

  it('has the Sparkplug births in use, so that aliases are known after a restart', async () => {
    await fixture.start();
    let clock = Date.now() - 600_000;
    const publish = (path: string, ...metrics: Record<string, unknown>[]) => {
      clock += 1000;
      const payload = Buffer.from(sparkplugPayload(metrics, { timestamp: clock }));
      return fixture.publish(`spBv1.0/${path}`, payload);
    };
    const born = { name: 'a', alias: 1, datatype: 3, intValue: 0 };
    await publish('G/NBIRTH/E', born);
    await publish('G/DBIRTH/E/D', { ...born, name: 'b', alias: 2 });
    await fixture.settled(2);
    await replaceTable();
    const births = async () => (await fixture.items(birthPartition('G/E'))).length;
    await until('both births', async () => {
      await publish('G/DDATA/E/D', { alias: 2, intValue: 1 });
      return (await births()) === 2;
    });
    await fixture.service?.close();
    await fixture.start();
    await publish('G/DDATA/E/D', { alias: 2, intValue: 7 });
    await publish('G/NDATA/E', { alias: 1, intValue: 8 });
    await fixture.settled(2);
    expect((await fixture.readingsOf('G/E/D')).at(-1)?.fields).toEqual({ b: 7 });
    expect((await fixture.readingsOf('G/E')).at(-1)?.fields).toEqual({ a: 8 });
  });

  it('has the devices that send readings, where requests met its absence', async () => {
    const proxy = await fixture.openProxy();
    await fixture.start({ DYNAMODB_ENDPOINT: proxy.endpoint });
    await send('known', Date.now());
    await until('the reading', async () => (await stored('known')) === 1);
    // A backup of the table that is older than the device, with the id of the table.
    let absences = 0;
    proxy.fateOf = ({ body }) => {
      if (body.includes('SHARDS')) absences += 1;
      return dynamoDbError('ResourceNotFoundException');
    };
    await until('a read of the shard map', () => absences > 0);
    await fixture.table.delete(deviceKey('known'));
    proxy.fateOf = () => 'answered';
    await send('known', Date.now());
    await until('the reading', async () => (await stored('known')) === 2);
    expect(await until('the device', () => item('known'))).toMatchObject({ id: 'known' });
  });
});

import { birthPartition } from '@engawa/keys';
import { openBeforeEach, until } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';
import { readPayload, sparkplugPayload } from './sparkplug.ts';

const fixture = openBeforeEach(() => IngestionFixture.open());
/** Commands to nodes. */
let commands: { topic: string; payload: Buffer }[];
beforeEach(async () => {
  commands = [];
  fixture.device.on('message', (topic, payload) => commands.push({ topic, payload }));
  await fixture.device.subscribeAsync('spBv1.0/+/NCMD/+');
});

const requests = () => fixture.metric('engawa_ingest_sparkplug_rebirth_requests_total');

async function publishUnknown(node: string, times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    const timestamp = Date.now() - 1000 + count;
    const payload = sparkplugPayload([{ alias: 7, intValue: count }], { timestamp });
    await fixture.publish(`spBv1.0/G/NDATA/${node}`, Buffer.from(payload));
  }
}

it('the birth of a node with unknown aliases is requested once', async () => {
  await fixture.start();
  await publishUnknown('E', 5);
  await publishUnknown('F', 5);
  await fixture.settled(10);
  await until('the requests', () => commands.length >= 2);
  // In any order: the births of both nodes are read at the same time.
  const topics = commands.map(({ topic }) => topic).toSorted();
  expect(topics).toEqual(['spBv1.0/G/NCMD/E', 'spBv1.0/G/NCMD/F']);
  expect(readPayload(commands[0]?.payload ?? Buffer.alloc(0))).toMatchObject({
    timestamp: expect.anything() as unknown,
    metrics: [{ name: 'Node Control/Rebirth', datatype: 11, booleanValue: true }],
  });
  expect(await requests()).toBe(2);
});

it('no birth is requested if that is disabled, or for a replayed dead letter', async () => {
  await fixture.start({ SPARKPLUG_REBIRTH: 'off' });
  await publishUnknown('E', 5);
  await fixture.settled(5);
  await fixture.service?.close();
  await fixture.start();
  const day = new Date().toISOString().slice(0, 10);
  await fixture.post('/v1/deadLetters/replay', JSON.stringify({ day }));
  await fixture.publish('spBv1.0/G/NCMD/last', 'nothing');
  await until('the last command', () => commands.length > 0);
  expect(commands.map(({ topic }) => topic)).toEqual(['spBv1.0/G/NCMD/last']);
  expect(await requests()).toBe(0);
});

it('the birth of a node whose births cannot be read is requested, and explains later data', async () => {
  await fixture.table.put({ pk: birthPartition('G/E'), sk: 'NODE#no time' });
  await fixture.start();
  await publishUnknown('E', 1);
  await fixture.settled(1);
  await until('the request', () => commands.length > 0);
  const alias = { alias: 7, name: 'x', datatype: 3, intValue: 5 };
  const birth = sparkplugPayload([alias], { timestamp: Date.now() });
  await fixture.publish('spBv1.0/G/NBIRTH/E', Buffer.from(birth));
  const time = Date.now() + 1000;
  const data = sparkplugPayload([{ alias: 7, intValue: 6 }], { timestamp: time });
  await fixture.publish('spBv1.0/G/NDATA/E', Buffer.from(data));
  await fixture.settled(3);
  expect(await fixture.readingsOf('G/E')).toContainEqual({ time, fields: { x: 6 } });
});

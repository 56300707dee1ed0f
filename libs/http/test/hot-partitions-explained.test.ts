import { expectResponse } from '../src/openapi/expect-response.ts';
import { aPartition, HotPartitionApps } from './hot-partition-apps.ts';
import type { StartedApp } from './start-app.ts';

const started = new HotPartitionApps();
afterEach(() => started.close());

/** Checked against the OpenAPI document. */
async function merged(app: StartedApp): Promise<object[]> {
  const answer = await fetch(`${app.url}/v1/hot-partitions/merged`);
  const body = (await expectResponse(await app.contract(), answer)) as { partitions: object[] };
  return body.partitions;
}

describe('GET /v1/hot-partitions/merged', () => {
  it('explains a key in words, with advice also for a key that is hot only in total', async () => {
    const parts = [
      aPartition({ kind: 'device', unitsPerSecond: 400, utilization: 0.4 }),
      // Of a version that reports no kind.
      aPartition({ unitsPerSecond: 500, utilization: 0.5, throttlesPerSecond: { table: 2 } }),
    ];
    const apps = await Promise.all(parts.map((one) => started.app([one])));
    const app = await started.app([], { peers: apps.map(({ url }) => url) });
    const [device] = await merged(app);
    expect(device).toMatchObject({
      kind: 'device',
      description: 'One device: its readings, rollups and corrections.',
      writtenBy: 'ingestion (readings), query (rollups), registry',
      reason:
        'uses 90 % of the write units that one partition can take; throttled 2.0 times a second because the provisioned capacity is used up',
      advice: [
        'No process makes this key hot alone: several processes use it at the same time.',
        expect.stringContaining('LINGER_MS'),
        expect.stringContaining('SHARD_GROWTH'),
      ],
    });
    const cold = await started.app([aPartition()]);
    expect(await merged(cold)).toMatchObject([{ advice: [] }]);
  });

  it('explains a hidden key by the kind in the report of its process', async () => {
    const hidden = { partition: 'ROOM', kind: 'room', utilization: 0.8, unitsPerSecond: 800 };
    const app = await started.app([aPartition({ ...hidden, kind: 'room' })]);
    const newer = await started.app([aPartition({ ...hidden, kind: 'of a later version' })]);
    expect(await merged(app)).toMatchObject([{ writtenBy: 'registry' }]);
    expect(await merged(newer)).toMatchObject([{ writtenBy: 'any service' }]);
  });
});

import { expectResponse } from '@engawa/http';
import { answering, aPartition, HotPartitionApps } from './hot-partition-apps.ts';
import type { ReportedPartition } from '@engawa/heat';
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

  it('has codes beside the texts, also of reports of older and newer versions', async () => {
    const batching = { code: 'batch-readings', values: {} };
    const hot = { hotSince: '2026-11-20T09:00:00.000Z', throttlesPerSecond: { key_range: 2 } };
    const apps = await Promise.all([
      started.app([aPartition({ ...hot, advice: ['older'] })]),
      started.app([
        aPartition({
          advice: ['known', 'newer'],
          adviceCodes: [batching, { code: 'of-a-later-version', values: {} }],
        }),
      ]),
    ]);
    const app = await started.app([], { peers: apps.map(({ url }) => url) });
    expect(await merged(app)).toMatchObject([
      {
        advice: ['older', 'known', 'newer'],
        adviceCodes: [null, batching, null],
        reasonCodes: [
          { code: 'used', values: { unit: 'write', share: 0.2 } },
          { code: 'throttled', values: { scope: 'key_range', perSecond: 2 } },
        ],
      },
    ]);
    const inTotal = await started.app([aPartition({ unitsPerSecond: 900, utilization: 0.9 })]);
    expect(await merged(inTotal)).toMatchObject([
      { adviceCodes: [{ code: 'hot-in-total' }, batching, { code: 'shards-are-added-in-total' }] },
    ]);
  });

  it('ignores codes in another form: the report counts all the same', async () => {
    const odd = { ...aPartition({ advice: ['text'] }), adviceCodes: [{ code: 7 }] };
    const peer = await started.server(answering('odd', [odd as unknown as ReportedPartition]));
    const app = await started.app([], { peers: [peer] });
    expect(await merged(app)).toMatchObject([{ advice: ['text'], adviceCodes: [null] }]);
  });

  it('explains a hidden key by the kind in the report of its process', async () => {
    const hidden = { partition: 'ROOM', kind: 'room', utilization: 0.8, unitsPerSecond: 800 };
    const app = await started.app([aPartition({ ...hidden, kind: 'room' })]);
    const newer = await started.app([aPartition({ ...hidden, kind: 'of a later version' })]);
    expect(await merged(app)).toMatchObject([{ writtenBy: 'registry' }]);
    expect(await merged(newer)).toMatchObject([{ writtenBy: 'any service' }]);
  });
});

import { fixedShards } from '@engawa/table';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { nativeDrafts } from '../src/decoders/native.ts';
import { DeviceRegister } from '../src/devices/device-register.ts';
import { BookkeepingMetrics } from '../src/devices/bookkeeping/bookkeeping-metrics.ts';
import { Intake } from '../src/intake/intake.ts';
import { WorkSlicer } from '../src/concurrency/work-slicer.ts';
import { IngestionFixture } from './ingestion-fixture.ts';

let fixture: IngestionFixture;
beforeEach(async () => (fixture = await IngestionFixture.open()));
afterEach(() => fixture.close());

const dayMs = 86_400_000;

it('packing is told of readings whose device has to be registered or read first', async () => {
  let now = 0;
  const stored: number[] = [];
  const devices = new DeviceRegister({
    table: fixture.table,
    admission: 'auto',
    shards: fixedShards(1),
    metrics: new BookkeepingMetrics(new Registry()),
    log: pino({ level: 'silent' }),
    signal: new AbortController().signal,
    steady: () => now,
  });
  const intake = new Intake({
    devices,
    store: (_, parcels) => {
      stored.push(parcels.length);
      for (const parcel of parcels) parcel.settle();
    },
    isHot: () => false,
    slicer: new WorkSlicer(),
    timeLimits: { past: 1, future: 1 },
    linger: () => 60_000,
  });
  const waiting: number[] = [];
  /** Writes at once what waits, as a window does that is full. */
  const packing = () => {
    waiting.push(intake.waiting);
    intake.flush();
  };
  const take = () => {
    const drafts = nativeDrafts({ temperature: 20 });
    return intake.take({
      device: 'door',
      drafts,
      receivedAt: Date.now(),
      gathered: false,
      packing,
    });
  };
  const done = { stored: 1, refusals: [] };
  expect(await take()).toEqual(done); // registered
  expect(await take()).toEqual(done); // known
  now += dayMs;
  expect(await take()).toEqual(done); // read again
  expect(stored).toEqual([1, 1, 1]);
  expect(waiting).toEqual([1, 1, 1]);
});

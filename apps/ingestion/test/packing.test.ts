import { fixedShards } from '@engawa/table';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { openBeforeEach } from '@engawa/testing';
import { nativeDrafts } from '../src/decoders/native.ts';
import { DeviceRegister } from '../src/devices/device-register.ts';
import { BookkeepingMetrics } from '../src/devices/bookkeeping/bookkeeping-metrics.ts';
import { checkReadings } from '../src/intake/check-readings.ts';
import { Pipeline } from '../src/pipeline.ts';
import { Packer } from '../src/storing/packer.ts';
import type { PipelineSteps } from '../src/pipeline.ts';
import { WorkSlicer } from '../src/concurrency/work-slicer.ts';
import { IngestionFixture } from './ingestion-fixture.ts';

const fixture = openBeforeEach(() => IngestionFixture.open());

const dayMs = 86_400_000;

it('onPacked is called for readings whose device has to be registered or read first', async () => {
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
  const packer = new Packer({
    lingerMs: () => 60_000,
    isHot: () => false,
    maxParcels: 60,
    flush: (device, parcels) => pipeline.enqueue(device, parcels),
  });
  const pipeline = new Pipeline({
    devices,
    check: (received) =>
      new WorkSlicer().run(checkReadings(received, { maxAgeMs: 1, maxAheadMs: 1 })),
    checkAtDevice: (checked) => checked,
    packer,
    parking: {
      track: (_, parcels) =>
        parcels.map((parcel) => Object.assign(parcel, { isParked: false, isSpilled: false })),
    },
    queues: {
      add: (_, parcels) => {
        stored.push(parcels.length);
        for (const parcel of parcels) parcel.resolve();
      },
    },
  } as Partial<PipelineSteps> as PipelineSteps);
  const waiting: number[] = [];
  /** Writes what lingers, like a full window. */
  const onPacked = () => {
    waiting.push(packer.waiting);
    packer.flushAll();
  };
  const ingest = () =>
    pipeline.ingest({
      device: 'door',
      drafts: nativeDrafts({ temperature: 20 }),
      receivedAt: Date.now(),
      isBatched: false,
      onPacked,
    });
  const done = { stored: 1, refusals: [] };
  expect(await ingest()).toEqual(done); // registered
  expect(await ingest()).toEqual(done); // known
  now += dayMs;
  expect(await ingest()).toEqual(done); // read again
  expect(stored).toEqual([1, 1, 1]);
  expect(waiting).toEqual([1, 1, 1]);
});

import { openHotPartitions } from '@engawa/hot-partitions';
import { CursorCodec, startHttpService, startProbes } from '@engawa/http';
import { devicePartition } from '@engawa/keys';
import { openTable } from '@engawa/table';
import { DeviceSummaries } from './aggregates/device-summaries.ts';
import { RollupMetrics } from './aggregates/rollup-metrics.ts';
import { StateReader } from './aggregates/states/state-reader.ts';
import { ValueSearch } from './aggregates/value-search.ts';
import { DeviceStore } from './devices/device-store.ts';
import { HotLatest } from './latest/hot-latest.ts';
import { latestOfDevice } from './latest/latest-of-device.ts';
import { MembershipStore } from './memberships/membership-store.ts';
import { ReadingStore } from './readings/reading-store.ts';
import { queryRoutes } from './routes/index.ts';
import { VisibleReadings } from './visible-readings.ts';
import type { ServiceContext } from '@engawa/service';
import type { Table } from '@engawa/table';
import type { AggregateSource } from './aggregates/aggregate-request.ts';
import type { Config } from './config.ts';

export { settings } from './config.ts';

/** The composition root: creates all clients and opens all ports. */
export async function start(context: ServiceContext<Config>): Promise<void> {
  const { config, log, now, signal } = context;

  await startProbes(context);

  const { table, watchHeat } = openTable(context);
  const heat = watchHeat();

  const devices = new DeviceStore({ table, now });
  const readings = new ReadingStore(table, devices);
  const latest = new HotLatest({
    load: (request) =>
      latestOfDevice({
        ...request,
        table,
        correctionsOf: (...asked) => devices.correctionsOf(...asked),
        now: Date.now(),
      }),
    shareOfHot: (device) => heat.shareOfHot('table', 'read', devicePartition(device)),
    readLimit: config.PARTITION_READ_LIMIT,
    now,
  });
  const memberships = new MembershipStore(table, now);
  await startHttpService(context, {
    title: 'Engawa query',
    description:
      'Readings of devices: the latest ones, those of a time range, and their sums by hour and day.',
    routes: queryRoutes({
      table,
      readings,
      visible: new VisibleReadings({ devices, latest, readings, memberships }),
      aggregates: aggregateSource(context, { table, devices, readings }),
      cursors: new CursorCodec({ secret: config.CURSOR_SECRET, log }),
    }).concat(openHotPartitions(context, heat)),
  });

  await table.waitUntilReady(signal);
}

interface AggregateStores {
  table: Table;
  devices: DeviceStore;
  readings: ReadingStore;
}

function aggregateSource(
  { registry }: ServiceContext<Config>,
  { table, devices, readings }: AggregateStores,
): AggregateSource {
  const corrections: DeviceStore['findCorrections'] = (...asked) =>
    devices.findCorrections(...asked);
  const metrics = new RollupMetrics(registry);
  const values = new ValueSearch({ table, readings, devices, now: Date.now });
  return {
    summaries: new DeviceSummaries({ table, corrections, metrics, now: Date.now }),
    values,
    states: new StateReader({ table, corrections, search: values }),
  };
}

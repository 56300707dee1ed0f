import { CursorCodec, startHttpService, startProbes } from '@engawa/http';
import { devicePartition } from '@engawa/keys';
import { openTable } from '@engawa/table';
import { DeviceSummaries } from './aggregates/device-summaries.ts';
import { RollupMetrics } from './aggregates/rollup-metrics.ts';
import { ValueSearch } from './aggregates/value-search.ts';
import { DeviceStore } from './devices/device-store.ts';
import { HotLatest } from './latest/hot-latest.ts';
import { latestOfDevice } from './latest/latest-of-device.ts';
import { MembershipStore } from './memberships/membership-store.ts';
import { ReadingStore } from './readings/reading-store.ts';
import { queryRoutes } from './routes/index.ts';
import { VisibleReadings } from './visible-readings.ts';
import type { ServiceContext } from '@engawa/service';
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
        correctionsOf: (device, budget) => devices.correctionsOf(device, budget),
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
      aggregates: {
        summaries: new DeviceSummaries({
          table,
          corrections: (device, budget) => devices.findCorrections(device, budget),
          metrics: new RollupMetrics(context.registry),
          now: Date.now,
        }),
        values: new ValueSearch({ table, readings, devices, now: Date.now }),
      },
      cursors: new CursorCodec({ secret: config.CURSOR_SECRET, log }),
    }),
    heat,
  });

  await table.waitUntilReady(signal);
}

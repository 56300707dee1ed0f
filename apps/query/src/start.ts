import {
  CursorCodec,
  httpGuards,
  HttpMetrics,
  openHotPartitions,
  serve,
  startProbes,
} from '@engawa/http';
import { devicePartition } from '@engawa/keys';
import { openTable } from '@engawa/table';
import { DeviceSummaries } from './aggregates/device-summaries.ts';
import { createApp } from './app.ts';
import { MembershipStore } from './membership-store.ts';
import { ReadingStore } from './readings/reading-store.ts';
import { VisibleReadings } from './visible-readings.ts';
import type { ServiceContext } from '@engawa/service';
import type { Config } from './config.ts';

export { settings } from './config.ts';

/** The composition root: the only place that builds clients and opens ports. */
export async function start(context: ServiceContext<Config>): Promise<void> {
  const { config, log, registry, readiness, now, signal, onClose } = context;

  const probes = await startProbes({
    registry,
    readiness,
    host: config.HOST,
    port: config.METRICS_PORT,
    log,
  });
  onClose('probes', () => probes.close());

  const opened = openTable(context);
  const { table } = opened;
  const heat = opened.watchHeat();

  const readings = new ReadingStore({
    table,
    shareOfHot: (device) => heat.shareOfHot('table', 'read', devicePartition(device)),
    readLimit: config.PARTITION_READ_LIMIT,
    now,
  });
  const memberships = new MembershipStore(table, now);
  const app = createApp({
    readings,
    visible: new VisibleReadings({ readings, memberships }),
    summaries: new DeviceSummaries({
      table,
      corrections: (device, budget) => readings.corrections(device, budget),
      now: Date.now,
    }),
    cursors: new CursorCodec({ secret: config.CURSOR_SECRET, log }),
    hotPartitions: openHotPartitions(context, heat),
    guards: httpGuards(context),
    metrics: new HttpMetrics(registry),
    log,
  });
  await serve(app, context);

  await table.waitUntilReady(signal);
}

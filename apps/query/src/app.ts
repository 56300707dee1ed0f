import { createHttpApp } from '@engawa/http';
import { version } from '@engawa/service';
import { getAggregates } from './routes/get-aggregates.ts';
import { getFields } from './routes/get-fields.ts';
import { getLatest } from './routes/get-latest.ts';
import { getLatestOfMany } from './routes/get-latest-of-many.ts';
import { getLatestThere } from './routes/get-latest-there.ts';
import { getReadings } from './routes/get-readings.ts';
import type { CursorCodec, HttpGuards, HttpMetrics, Route } from '@engawa/http';
import type { Express } from 'express';
import type { Logger } from 'pino';
import type { DeviceSummaries } from './aggregates/device-summaries.ts';
import type { ReadingStore } from './readings/reading-store.ts';
import type { VisibleReadings } from './visible-readings.ts';

export interface AppOptions {
  readings: ReadingStore;
  visible: VisibleReadings;
  summaries: DeviceSummaries;
  cursors: CursorCodec;
  hotPartitions: Route[];
  guards: HttpGuards;
  metrics: HttpMetrics;
  log: Logger;
}

/** The API of the query service; never listens. */
export function createApp({
  cursors,
  hotPartitions,
  guards,
  metrics,
  log,
  ...stores
}: AppOptions): Express {
  return createHttpApp({
    title: 'Engawa query',
    description:
      'What the devices reported: the latest, from one time to another, and what it came to by the hour or day.',
    version,
    routes: [
      getLatest(stores),
      getLatestOfMany({ ...stores, cursors }),
      ...getLatestThere({ ...stores, cursors }),
      ...getFields({ ...stores, cursors }),
      ...getReadings({ ...stores, cursors }),
      ...getAggregates({ ...stores, cursors }),
      ...hotPartitions,
    ],
    guards,
    log,
    metrics,
  });
}

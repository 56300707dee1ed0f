import { createHttpApp } from '@engawa/http';
import { getLatest } from './routes/get-latest.ts';
import { getReadings } from './routes/get-readings.ts';
import type { CursorCodec, HttpMetrics } from '@engawa/http';
import type { Express } from 'express';
import type { Logger } from 'pino';
import type { ReadingStore } from './reading-store.ts';

export interface AppOptions {
  readings: ReadingStore;
  cursors: CursorCodec;
  metrics: HttpMetrics;
  log: Logger;
}

/** The API of the query service; never listens. */
export function createApp({ readings, cursors, metrics, log }: AppOptions): Express {
  return createHttpApp({
    title: 'Engawa query',
    description: 'What the devices reported: the latest, and from one time to another.',
    version: '1.0.0',
    routes: [getLatest({ readings }), getReadings({ readings, cursors })],
    log,
    metrics,
  });
}

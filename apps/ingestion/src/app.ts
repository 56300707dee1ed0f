import { createHttpApp } from '@engawa/http';
import { version } from '@engawa/service';
import { DeadLetterWork } from './http/dead-letter-work.ts';
import { discardDeadLetter } from './http/discard-dead-letter.ts';
import { discardDeadLetters } from './http/discard-dead-letters.ts';
import { getDeadLetter } from './http/get-dead-letter.ts';
import { listDeadLetters } from './http/list-dead-letters.ts';
import { postReadings } from './http/post-readings.ts';
import { replayDeadLetter } from './http/replay-dead-letter.ts';
import { replayDeadLetters } from './http/replay-dead-letters.ts';
import type { CursorCodec, HttpGuards, HttpMetrics, Route } from '@engawa/http';
import type { Express } from 'express';
import type { Logger } from 'pino';
import type { Semaphore } from './concurrency/semaphore.ts';
import type { DeadLetters } from './dead-letters/dead-letters.ts';
import type { Ingest } from './intake/delivery.ts';
import type { Verdict } from './refusals/refusal.ts';
import type { DeadLetter } from '@engawa/model';
import type { MemoryShare } from './intake/memory-budget.ts';
import type { IngestionMetrics } from './metrics.ts';
import type { TableTimeout } from './http/table-timeout.ts';

export interface AppOptions {
  /** @throws Problem until the service can store readings */
  ready: () => { ingest: Ingest; replay: (deadLetter: DeadLetter) => Promise<Verdict> };
  deadLetters: DeadLetters;
  /** For the readings of all requests. */
  budget: Semaphore;
  /** For what they, and replayed dead letters, take of the heap. */
  memory: MemoryShare;
  /** Bytes of a dead letter's payload that may be replayed. */
  maxReplayBytes: number;
  /** @throws Problem while the table is away */
  timeout: (signal: AbortSignal) => TableTimeout;
  cursors: CursorCodec;
  metrics: IngestionMetrics;
  hotPartitions: Route[];
  guards: HttpGuards;
  httpMetrics: HttpMetrics;
  log: Logger;
}

/** The API of ingestion; never listens. */
export function createApp({
  ready,
  hotPartitions,
  guards,
  httpMetrics,
  log,
  ...options
}: AppOptions): Express {
  const { metrics } = options;
  const work = new DeadLetterWork({
    ...options,
    metrics: metrics.deadLetters,
    replay: (deadLetter) => ready().replay(deadLetter),
  });
  const withWork = { ...options, work };
  return createHttpApp({
    title: 'Engawa ingestion',
    description: 'Readings in, and the dead letters that could not become readings.',
    version,
    routes: [
      postReadings({ ...options, metrics: metrics.uploads, ingest: () => ready().ingest }),
      listDeadLetters(options),
      replayDeadLetters(withWork),
      discardDeadLetters(withWork),
      getDeadLetter(options),
      discardDeadLetter(withWork),
      replayDeadLetter(withWork),
      ...hotPartitions,
    ],
    guards,
    log,
    metrics: httpMetrics,
  });
}

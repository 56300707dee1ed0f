import { DeadLetterWork } from './dead-letter-work.ts';
import { discardDeadLetter } from './discard-dead-letter.ts';
import { discardDeadLetters } from './discard-dead-letters.ts';
import { getDeadLetter } from './get-dead-letter.ts';
import { getLive } from './get-live.ts';
import { listDeadLetters } from './list-dead-letters.ts';
import { postReadings } from './post-readings.ts';
import { previewDeadLetter } from './preview-dead-letter.ts';
import { replayDeadLetter } from './replay-dead-letter.ts';
import { replayDeadLetters } from './replay-dead-letters.ts';
import type { CursorCodec, Route } from '@engawa/http';
import type { Logger } from 'pino';
import type { Semaphore } from '../concurrency/semaphore.ts';
import type { Decoder } from '../decoders/decoder.ts';
import type { DeadLetters } from '../dead-letters/dead-letters.ts';
import type { Ingest } from '../intake/device-readings.ts';
import type { DeadLetterPreview } from '../intake/preview-dead-letter.ts';
import type { IngestResult } from '../refusals/refusal.ts';
import type { DeadLetter } from '@engawa/model';
import type { MemoryShare } from '../intake/memory-budget.ts';
import type { DeadLetterMetrics } from '../dead-letters/dead-letter-metrics.ts';
import type { LiveFeed } from '../live/live-feed.ts';
import type { TableTimeout } from './table-timeout.ts';
import type { UploadMetrics } from './upload-metrics.ts';

export interface IngestionRoutesOptions {
  /** @throws Problem until the service can store readings */
  ready: () => {
    ingest: Ingest;
    replay: (deadLetter: DeadLetter) => Promise<IngestResult>;
    preview: (deadLetter: DeadLetter) => Promise<DeadLetterPreview>;
  };
  deadLetters: DeadLetters;
  /** Dead letters are filtered by the devices that these decoders find in topics. */
  decoders: readonly Decoder[];
  /** Limits the readings in flight of all requests. */
  readingSlots: Semaphore;
  /** Limits the heap of uploads and replayed dead letters. */
  memory: MemoryShare;
  /** Maximum payload in bytes of a dead letter that is replayed. */
  maxReplayBytes: number;
  /** @throws Problem while the table is unavailable */
  timeout: (signal: AbortSignal) => TableTimeout;
  cursors: CursorCodec;
  live: LiveFeed;
  metrics: { uploads: UploadMetrics; deadLetters: DeadLetterMetrics };
  log: Logger;
}

/** All routes of the ingestion service, in the order in which they are matched. */
export function ingestionRoutes({ ready, ...options }: IngestionRoutesOptions): Route[] {
  const { metrics } = options;
  const work = new DeadLetterWork({
    ...options,
    metrics: metrics.deadLetters,
    replay: (deadLetter) => ready().replay(deadLetter),
    preview: (deadLetter) => ready().preview(deadLetter),
  });
  const withWork = { ...options, work };
  return [
    postReadings({ ...options, metrics: metrics.uploads, ingest: () => ready().ingest }),
    getLive(options),
    listDeadLetters(options),
    replayDeadLetters(withWork),
    discardDeadLetters(withWork),
    getDeadLetter(options),
    discardDeadLetter(withWork),
    replayDeadLetter(withWork),
    previewDeadLetter(withWork),
  ];
}

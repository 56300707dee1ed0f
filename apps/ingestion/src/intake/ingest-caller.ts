import type { IngestResult } from '../refusals/refusal.ts';

/**
 * Waits until readings are ingested. Must not throw. A call in place of a promise: promises and continuations of each
 * step of each message take CPU and memory (docs/adr/0085).
 */
export interface IngestCaller {
  readonly resolve: (result: IngestResult) => void;
  readonly reject: (error: unknown) => void;
}

import type { Reading } from '@engawa/model';
import type { IngestResult } from '../refusals/refusal.ts';

/**
 * Waits until readings are ingested. Its methods are called in place of promises: promises and continuations of each
 * step of each message take CPU and memory (docs/adr/0084). Only `onChecked` may throw.
 */
export interface IngestCaller {
  /** Each reading is durable or refused. */
  resolve(result: IngestResult): void;
  /** The service closes first, and the outcome is unknown; or an unexpected error. */
  reject(error: unknown): void;
  /**
   * Called with the valid readings before they are packed. @throws Rejection when they need too much memory: then all
   * are refused
   */
  onChecked?(readings: readonly Reading[]): void;
  /**
   * Called when the readings have been passed to the packer: at once, or after their device has been read or
   * registered.
   */
  onPacked?(): void;
}

import type { IndexedRow } from '../filter-keys.ts';
import type { TextResult, TextQuery } from '../text-index.ts';

/** What the worker thread is started with. */
export interface TextWorkerData {
  /** The parent of the replicas' folders. */
  folder: string;
  /** Bytes of one index. */
  maxBytes: number;
}

export type TextSearch = Omit<TextQuery, 'signal'>;

export type TextRequest =
  | { kind: 'beginBuild' }
  | { kind: 'apply'; to: 'live' | 'build'; changes: readonly IndexedRow[] }
  | { kind: 'activate' }
  /** `cancelled[0]` becomes 1 when the caller cancels: the worker reads it with each row. */
  | { kind: 'search'; search: TextSearch; cancelled: Int32Array<SharedArrayBuffer> }
  | { kind: 'close' };

export interface TextRequestMessage {
  /** Also in the reply. */
  id: number;
  request: TextRequest;
}

/** Size of the live index; 0 without an index. */
export interface TextIndexSize {
  documents: number;
  bytes: number;
}

/**
 * `lost`: the index is damaged or missing, and has to be rebuilt. `live full`, `build full`: that index has reached its
 * maximum size; it was deleted. `build failed`: the disk is full; the build was deleted, and the live index stays.
 * `too many values`: more distinct values than a facet can count. `failed`: only this request failed.
 */
export type TextFailure =
  'lost' | 'live full' | 'build full' | 'build failed' | 'too many values' | 'failed';

export type TextReply = { id: number; size: TextIndexSize } & (
  { answer?: TextResult } | { failure: TextFailure; reason: string }
);

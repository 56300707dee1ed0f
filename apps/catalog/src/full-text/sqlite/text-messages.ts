import type { IndexedRow } from '../filter-keys.ts';
import type { TextAnswer, TextQuery } from '../text-index.ts';

/** What the worker thread is started with. */
export interface TextWorkerData {
  /** Under which each running replica has a folder of its own. */
  folder: string;
  /** Bytes of one index. */
  maxBytes: number;
}

export type TextSearch = Omit<TextQuery, 'signal'>;

export type TextRequest =
  | { kind: 'beginBuild' }
  | { kind: 'apply'; to: 'live' | 'build'; changes: readonly IndexedRow[] }
  | { kind: 'takePlace' }
  /** `cancelled[0]` becomes 1 when nobody waits for the answer any more: the worker reads it with each row. */
  | { kind: 'search'; search: TextSearch; cancelled: Int32Array<SharedArrayBuffer> }
  | { kind: 'close' };

export interface TextRequestMessage {
  /** That of its reply. */
  id: number;
  request: TextRequest;
}

/** Of the live index; both are 0 where there is none. */
export interface TextIndexSize {
  documents: number;
  bytes: number;
}

/**
 * `lost`: the index is damaged or missing, and has to be built again. `full`: the live index, or the one that is being
 * built, has reached its limit, or the disk has; it is deleted. `too many values`: more different ones than a facet may
 * count. `failed`: this request alone failed.
 */
export type TextFailure = 'lost' | 'live full' | 'build full' | 'too many values' | 'failed';

export type TextReply = { id: number; size: TextIndexSize } & (
  { answer?: TextAnswer } | { failure: TextFailure; reason: string }
);

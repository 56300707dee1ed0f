import { ProblemError } from '@engawa/client';
import { Slices } from '../../../charts/slices.ts';
import { FileParts } from './file-parts.ts';
import { CsvMerger, ndjsonMerger } from './merged-rows.ts';
import { RecordSplitter } from './records.ts';
import type { ExploreRequest } from '../explore-requests.ts';
import type { RowMerger } from './merged-rows.ts';

export type FileType = 'CSV' | 'NDJSON';

export const mediaTypes = { CSV: 'text/csv', NDJSON: 'application/x-ndjson' } as const;

/** How far an export has come. */
export interface ExportProgress {
  /** Requests that are complete. */
  done: number;
  rows: number;
  /** ISO 8601: the time of the last row that is kept after a failure. */
  reached: string | undefined;
}

export interface FetchOptions {
  signal: AbortSignal;
  /** Query parameters beside those of the request. */
  extra: Readonly<Record<string, string>>;
}

interface MergedExportOptions {
  requests: readonly ExploreRequest[];
  type: FileType;
  /** The rows of a request. @throws ProblemError, TypeError */
  fetchRows: (
    request: ExploreRequest,
    type: (typeof mediaTypes)[FileType],
    options: FetchOptions,
  ) => Promise<Response>;
  onProgress: (progress: ExportProgress) => void;
}

/** Rows between two looks at the clock. */
const rowsPerSlice = 64;

/**
 * One file with the rows of several requests: one request after the other, each in the order of the service. After a
 * failure, `run` continues with the row after the last one that is known to be whole (ADR 0050).
 */
export class MergedExport {
  readonly #options: MergedExportOptions;
  readonly #merger: RowMerger;
  readonly #parts = new FileParts();
  /** Requests that are complete. */
  #done = 0;
  /** The beginning of the current request. */
  #mark = this.#parts.mark();
  #cursor: string | undefined;

  constructor(options: MergedExportOptions) {
    this.#options = options;
    this.#merger = options.type === 'CSV' ? new CsvMerger(options.requests) : ndjsonMerger;
  }

  /** @returns the file, once all rows are there @throws ProblemError, TypeError as of a request */
  async run(signal: AbortSignal): Promise<Blob> {
    const { requests, type } = this.#options;
    for (let request = requests[this.#done]; request; request = requests[this.#done]) {
      await this.#add(request, signal);
      this.#done += 1;
      this.#cursor = undefined;
      this.#mark = this.#parts.mark();
      this.#report();
    }
    return this.#parts.toBlob(this.#merger.head, mediaTypes[type]);
  }

  async #add(request: ExploreRequest, signal: AbortSignal): Promise<void> {
    try {
      await this.#addRows(request, signal);
    } catch (error) {
      this.#parts.dropPending();
      if (!isRejectedCursor(error) || this.#cursor === undefined) throw error;
      // Such as after a change of the services' secret: this request begins again.
      this.#parts.reset(this.#mark);
      this.#cursor = undefined;
      await this.#add(request, signal);
    } finally {
      this.#report();
    }
  }

  async #addRows(request: ExploreRequest, signal: AbortSignal): Promise<void> {
    const { type, fetchRows } = this.#options;
    const extra = { resumable: 'true', ...(this.#cursor && { cursor: this.#cursor }) };
    const response = await fetchRows(request, mediaTypes[type], { signal, extra });
    const rowOf = this.#merger.begin(request);
    const slices = new Slices({ signal });
    for await (const records of recordsOf(response, new RecordSplitter(type))) {
      for (const [index, record] of records.entries()) {
        const row = rowOf(record);
        if (row !== undefined) this.#addRow(row.text, row.cursor);
        if (index % rowsPerSlice === 0) await slices.rest();
      }
      this.#report();
    }
    this.#parts.confirm();
  }

  #addRow(text: string, cursor: string | undefined): void {
    this.#parts.add(text);
    if (cursor === undefined) return;
    this.#cursor = cursor;
    this.#parts.confirm();
  }

  #report(): void {
    const { rows, pendingRows, last } = this.#parts;
    const [reached] = /\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(last ?? '') ?? [];
    this.#options.onProgress({ done: this.#done, rows: rows + pendingRows, reached });
  }
}

function isRejectedCursor(error: unknown): boolean {
  return error instanceof ProblemError && error.status === 400;
}

/** The records of each part of a response. A response that is cut off rejects. The end of the loop cancels it. */
async function* recordsOf(response: Response, splitter: RecordSplitter): AsyncGenerator<string[]> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
      yield splitter.push(part.value);
    }
    if (!splitter.isComplete) throw new TypeError('The response ends within a row.');
  } finally {
    await reader?.cancel().catch(() => undefined);
  }
}

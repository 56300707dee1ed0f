import { fetchRows } from '../load-readings.ts';
import { fileName, saveBlob, download } from '../download.ts';
import { MergedExport } from './merged-export.ts';
import type { ExploreRequest } from '../explore-requests.ts';
import type { ExportProgress, FileType } from './merged-export.ts';

/** One file for all requests, or the service's own file of each. */
export type ExportForm = 'one' | 'each';

/** Saves files; after a failure, another call continues. @throws ProblemError, TypeError */
export type ExportRun = (signal: AbortSignal) => Promise<void>;

interface ExportOptions {
  type: FileType;
  requests: readonly ExploreRequest[];
  onProgress: (progress: ExportProgress) => void;
}

export function startExport(form: ExportForm, options: ExportOptions): ExportRun {
  return form === 'one' ? oneFile(options) : fileEach(options);
}

function oneFile(options: ExportOptions): ExportRun {
  const { type, requests } = options;
  const file = new MergedExport({ ...options, fetchRows });
  return async (signal) => {
    const blob = await file.run(signal);
    saveBlob(blob, mergedName(requests, type));
  };
}

/** Such as `engawa-readings-2026-11-20.csv`. */
function mergedName(requests: readonly ExploreRequest[], type: FileType): string {
  const [first] = requests;
  if (first === undefined) return fileName('engawa', type);
  return fileName(`engawa-${first.operation}-${String(first.parameters.from).slice(0, 10)}`, type);
}

function fileEach({ type, requests, onProgress }: ExportOptions): ExportRun {
  let done = 0;
  return async (signal) => {
    for (let request = requests[done]; request !== undefined; request = requests[done]) {
      await download(request, type, signal);
      done += 1;
      onProgress({ done, rows: 0, reached: undefined });
    }
  };
}

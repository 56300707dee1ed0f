import { mediaTypes } from './export/merged-export.ts';
import { fetchRows } from './load-readings.ts';
import type { ExploreRequest } from './explore-requests.ts';
import type { FileType } from './export/merged-export.ts';

/** Milliseconds for which a browser may need the address of a file that it saves. */
const addressLifeMs = 60_000;

/** Saves the service's own file of a request: a link could not carry the token. @throws ProblemError, TypeError */
export async function download(
  request: ExploreRequest,
  type: FileType,
  signal?: AbortSignal,
): Promise<void> {
  const response = await fetchRows(request, mediaTypes[type], { signal });
  saveBlob(await response.blob(), requestName(request, type));
}

export function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), addressLifeMs);
}

/** Such as `meter-tanaka-aggregates-2026-11-20.csv`. */
function requestName({ source, of, parameters }: ExploreRequest, type: FileType): string {
  const name = source.kind === 'room' ? `${source.place}-${source.room}` : source.id;
  return fileName(`${name}-${of}-${String(parameters.from).slice(0, 10)}`, type);
}

export function fileName(name: string, type: FileType): string {
  return `${name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '_')}.${type.toLowerCase()}`;
}

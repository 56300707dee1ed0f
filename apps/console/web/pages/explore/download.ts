import { fetchRows } from './load-readings.ts';
import type { ExploreRequest } from './explore-requests.ts';

export type FileType = 'CSV' | 'NDJSON';

const mediaTypes = { CSV: 'text/csv', NDJSON: 'application/x-ndjson' } as const;

/** Milliseconds for which a browser may need the address of a file that it saves. */
const addressLifeMs = 60_000;

/** Saves the service's own file of a request: a link could not carry the token. @throws ProblemError, TypeError */
export async function download(request: ExploreRequest, type: FileType): Promise<void> {
  const response = await fetchRows(request, mediaTypes[type]);
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName(request, type);
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), addressLifeMs);
}

/** Such as `meter-tanaka-aggregates-2026-11-20.csv`. */
export function fileName({ source, of, parameters }: ExploreRequest, type: FileType): string {
  const name = source.kind === 'room' ? `${source.place}-${source.room}` : source.id;
  const safe = name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '_');
  const day = String(parameters.from).slice(0, 10);
  return `${safe}-${of}-${day}.${type.toLowerCase()}`;
}

import { ProblemError } from '@engawa/client';
import { authorizedFetch } from '../../api/client.ts';
import { PointBuffer } from '../../charts/points.ts';
import { Slices } from '../../charts/slices.ts';
import { parametersOf, pathOf } from './request-code.ts';
import type { ExploreRequest } from './explore-requests.ts';

export type ReadingsRequest = Extract<ExploreRequest, { operation: 'readings' }>;

/** The values of one field of one device. */
export interface LoadedPoints {
  device: string | undefined;
  field: string;
  points: PointBuffer;
}

export interface LoadedReadings {
  request: ReadingsRequest;
  series: readonly LoadedPoints[];
  /** Fields with values that are not numbers. */
  nonNumeric: ReadonlySet<string>;
  /** The range has more readings than are drawn. */
  isCut: boolean;
}

interface Reading {
  device?: string;
  time: string;
  fields: Record<string, unknown>;
}

/** Of one request: 16 MB for each field. */
const maxReadings = 1_000_000;
/** Rows between two looks at the clock. */
const rowsPerSlice = 64;

interface LoadOptions {
  signal: AbortSignal;
  /** Called with the number of readings that have arrived. */
  onProgress: (readings: number) => void;
}

interface FetchRowsOptions {
  signal?: AbortSignal | undefined;
  /** Query parameters beside those of the request. */
  extra?: Readonly<Record<string, string>>;
}

/** The file of a request, as the services export it. @throws ProblemError, TypeError as of a request */
export async function fetchRows(
  request: ExploreRequest,
  type: 'text/csv' | 'application/x-ndjson',
  { signal, extra = {} }: FetchRowsOptions,
): Promise<Response> {
  const parameters = [...parametersOf(request), ...Object.entries(extra)];
  const query = new URLSearchParams(parameters).toString();
  const response = await authorizedFetch(`/api/query${pathOf(request)}?${query}`, {
    headers: { accept: type },
    ...(signal && { signal }),
  });
  if (response.ok) return response;
  const problem = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  throw new ProblemError(response.status, problem);
}

/** Reads every reading of a range while it arrives, in short tasks. @throws as `fetchRows` */
export async function loadReadings(
  request: ReadingsRequest,
  { signal, onProgress }: LoadOptions,
): Promise<LoadedReadings> {
  const response = await fetchRows(request, 'application/x-ndjson', { signal });
  const collector = new ReadingCollector(request.fields);
  const slices = new Slices({ signal });
  for await (const lines of linesOf(response)) {
    for (const [index, line] of lines.entries()) {
      if (line !== '') collector.add(JSON.parse(line) as Reading);
      if (index % rowsPerSlice === 0) await slices.rest();
    }
    onProgress(collector.count);
    if (collector.count >= maxReadings) {
      return { request, ...collector.loaded, isCut: true }; // ends the response as well
    }
  }
  return { request, ...collector.loaded, isCut: false };
}

class ReadingCollector {
  count = 0;
  readonly #fields: readonly string[];
  readonly #series = new Map<string, LoadedPoints>();
  readonly #nonNumeric = new Set<string>();

  constructor(fields: readonly string[]) {
    this.#fields = fields;
  }

  get loaded(): Pick<LoadedReadings, 'series' | 'nonNumeric'> {
    return { series: [...this.#series.values()], nonNumeric: this.#nonNumeric };
  }

  add({ device, time, fields }: Reading): void {
    this.count += 1;
    const instant = Date.parse(time);
    for (const field of this.#fields) {
      const value = Object.hasOwn(fields, field) ? fields[field] : undefined;
      if (typeof value === 'number') this.#pointsOf(device, field).add(instant, value);
      else if (value !== undefined && value !== null) this.#nonNumeric.add(field);
    }
  }

  #pointsOf(device: string | undefined, field: string): PointBuffer {
    const key = `${device ?? ''}\n${field}`;
    const known = this.#series.get(key);
    if (known !== undefined) return known.points;
    const points = new PointBuffer();
    this.#series.set(key, { device, field, points });
    return points;
  }
}

/** The lines of each part of a response. The end of the loop cancels the response. */
async function* linesOf(response: Response): AsyncGenerator<string[]> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
      const lines = (rest + part.value).split('\n');
      rest = lines.pop() ?? '';
      yield lines;
    }
    yield [rest];
  } finally {
    await reader?.cancel().catch(() => undefined);
  }
}

/** What is shown: a device, or the readings taken in a room or at a place. */
export type Source =
  | { kind: 'device'; id: string }
  | { kind: 'room'; place: string; room: string }
  | { kind: 'place'; id: string };

/** Ranges that end now. */
export const relativeRanges = ['1h', '6h', '24h', '7d', '30d', '365d'] as const;
export type RelativeRange = (typeof relativeRanges)[number];

/** Functions of the query service that a chart shows, or every single reading. */
export const shownValues = [
  'avg',
  'min',
  'max',
  'p50',
  'p95',
  'sum',
  'count',
  'last',
  'timeWeightedMean',
  'readings',
] as const;
export type ShownValue = (typeof shownValues)[number];

export const comparisons = ['none', 'day', 'week'] as const;
export type Comparison = (typeof comparisons)[number];

export interface AbsoluteRange {
  /** Epoch milliseconds. */
  from: number;
  to: number;
}

/** The state of the page: all of it is in the query of its address. */
export interface ExploreState {
  sources: readonly Source[];
  fields: readonly string[];
  range: { last: RelativeRange } | AbsoluteRange;
  show: ShownValue;
  /** For rooms and places: a line for each device, not one over all devices. */
  split: boolean;
  compare: Comparison;
  /** IANA name. */
  zone: string;
}

const rangeMs: Record<RelativeRange, number> = {
  '1h': 3_600_000,
  '6h': 21_600_000,
  '24h': 86_400_000,
  '7d': 604_800_000,
  '30d': 2_592_000_000,
  '365d': 31_536_000_000,
};

/** @param now epoch milliseconds */
export function resolveRange(range: ExploreState['range'], now: number): AbsoluteRange {
  return 'last' in range ? { from: now - rangeMs[range.last], to: now } : range;
}

/** Unique, and the form of an address. */
export function sourceKey(source: Source): string {
  return source.kind === 'room'
    ? `room=${encodeURIComponent(source.place)}/${encodeURIComponent(source.room)}`
    : `${source.kind}=${encodeURIComponent(source.id)}`;
}

/** @param defaultZone the viewer's time zone, which an address need not name */
export function parseState(query: URLSearchParams, defaultZone: string): ExploreState {
  const oneOf = <Value extends string>(name: string, allowed: readonly Value[], usual: Value) =>
    allowed.find((one) => one === query.get(name)) ?? usual;
  const sources: Source[] = [];
  for (const [name, value] of query) {
    const source = parseSource(name, value);
    if (source !== undefined) sources.push(source);
  }
  return {
    sources: [...new Map(sources.map((source) => [sourceKey(source), source])).values()],
    fields: [...new Set(query.getAll('field').filter((field) => field !== ''))],
    range: parseRange(query),
    show: oneOf('show', shownValues, 'avg'),
    split: query.get('split') === 'true',
    compare: oneOf('compare', comparisons, 'none'),
    zone: isTimeZone(query.get('zone')) ?? defaultZone,
  };
}

function parseSource(name: string, value: string): Source | undefined {
  if (value === '') return undefined;
  if (name === 'device' || name === 'place') return { kind: name, id: value };
  if (name !== 'room') return undefined;
  const [place = '', room = ''] = value.split('/');
  if (place === '' || room === '') return undefined;
  try {
    return { kind: 'room', place: decodeURIComponent(place), room: decodeURIComponent(room) };
  } catch {
    return undefined; // not percent-encoded
  }
}

function parseRange(query: URLSearchParams): ExploreState['range'] {
  const [from, to] = [query.get('from'), query.get('to')].map((text) => Date.parse(text ?? ''));
  if (from !== undefined && to !== undefined && from < to) return { from, to };
  return { last: relativeRanges.find((one) => one === query.get('last')) ?? '24h' };
}

function isTimeZone(name: string | null): string | undefined {
  if (name === null) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** The query of the page's address; usual values are left out. */
export function writeState(state: ExploreState, defaultZone: string): string {
  const { sources, fields, range, show, split, compare, zone } = state;
  const query = new URLSearchParams();
  for (const source of sources) {
    const value =
      source.kind === 'room'
        ? `${encodeURIComponent(source.place)}/${encodeURIComponent(source.room)}`
        : source.id;
    query.append(source.kind, value);
  }
  for (const field of fields) query.append('field', field);
  if (!('last' in range)) {
    query.set('from', new Date(range.from).toISOString());
    query.set('to', new Date(range.to).toISOString());
  } else if (range.last !== '24h') query.set('last', range.last);
  if (show !== 'avg') query.set('show', show);
  if (split) query.set('split', 'true');
  if (compare !== 'none') query.set('compare', compare);
  if (zone !== defaultZone) query.set('zone', zone);
  return query.toString();
}

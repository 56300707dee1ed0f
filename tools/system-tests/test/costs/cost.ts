/** Figures by name, without figures of 0. */
export type Counts = Readonly<Record<string, number>>;

/** DynamoDB requests and units of an action. */
export interface Cost {
  /** By operation, with the index if there is one: `Query gsi1`. */
  requests: Counts;
  /** Capacity units by `table` or index. */
  read: Counts;
  written: Counts;
}

/** Counters of services since their start. */
export type Readout = ReadonlyMap<string, number>;

const sample = /^engawa_table_(attempts|consumed_units)_total\{(?<labels>.*)\} (?<value>\S+)$/;
/** Periodic Queries of the background, one read unit each while there are only a few kilobytes to read. */
const mapReads = /^engawa_shard_map_reads_total (?<value>\S+)$/;
/** Periodic Queries of parked blocks, half a read unit each. */
const parkedQueries = /^engawa_ingest_parked_block_queries_total (?<value>\S+)$/;
/** Metrics that are counted below. */
export const countedMetrics = [
  'engawa_table_attempts_total',
  'engawa_table_consumed_units_total',
  'engawa_shard_map_reads_total',
  'engawa_ingest_parked_block_queries_total',
];
const label = /(\w+)="([^"]*)"/g;

/**
 * Adds up the counters of services from the text of their `/metrics`, without background reads of
 * the shard map and of parked blocks.
 */
export function readoutOf(texts: readonly string[]): Readout {
  const readout = new Map<string, number>();
  const add = (name: string, value: number) => readout.set(name, (readout.get(name) ?? 0) + value);
  for (const line of texts.join('\n').split('\n')) {
    const reads = mapReads.exec(line)?.groups?.['value'];
    if (reads !== undefined) {
      add('requests Query', -Number(reads));
      add('read table', -Number(reads));
    }
    const queries = parkedQueries.exec(line)?.groups?.['value'];
    if (queries !== undefined) {
      add('requests Query', -Number(queries));
      add('read table', -Number(queries) / 2);
    }
    const { labels, value } = sample.exec(line)?.groups ?? {};
    // A retry after a timeout on a busy machine counts as the same request.
    if (labels === undefined || labels.includes('outcome="timeout"')) continue;
    const pairs = [...labels.matchAll(label)].map(
      ([, name = '', text = '']) => [name, text] as const,
    );
    add(nameOf(Object.fromEntries(pairs)), Number(value));
  }
  return readout;
}

export function costBetween(before: Readout, after: Readout): Cost {
  const counts = (kind: string): Counts => {
    const rows = [...after].flatMap(([name, value]) => {
      const count = value - (before.get(name) ?? 0);
      return name.startsWith(kind) && count > 0 ? [[name.slice(kind.length), count]] : [];
    });
    return Object.fromEntries(rows.toSorted()) as Counts;
  };
  return { requests: counts('requests '), read: counts('read '), written: counts('write ') };
}

export function total(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function nameOf({ operation, index, unit }: Record<string, string>): string {
  if (unit !== undefined) return `${unit} ${index}`;
  return index === 'table' ? `requests ${operation}` : `requests ${operation} ${index}`;
}

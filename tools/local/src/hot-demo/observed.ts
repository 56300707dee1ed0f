/** A partition key in the answer of `GET /v1/hot-partitions`. */
export interface HotPartition {
  index: string;
  unit: string;
  partition: string;
  hotSince?: string;
  shards?: number;
  unitsPerSecond: number;
  throttlesPerSecond: Record<string, number>;
  advice: string[];
}

/** What is hot, as a service tells whoever asks it; empty while it does not answer. */
export async function hotPartitions(apiUrl: string): Promise<HotPartition[]> {
  try {
    const answer = await fetch(`${apiUrl}/v1/hot-partitions?limit=20`);
    if (!answer.ok) return [];
    const { partitions } = (await answer.json()) as { partitions: HotPartition[] };
    return partitions.filter(({ hotSince }) => hotSince !== undefined);
  } catch {
    return [];
  }
}

/** The samples of one `/metrics` answer. */
export class Samples {
  readonly #lines: readonly string[];

  constructor(text: string) {
    this.#lines = text.split('\n');
  }

  static async of(metricsUrl: string): Promise<Samples> {
    try {
      return new Samples(await (await fetch(`${metricsUrl}/metrics`)).text());
    } catch {
      return new Samples('');
    }
  }

  /** Whole lines, as they stand there. @param labels as `name="value"`, or their beginnings */
  lines(name: string, ...labels: readonly string[]): string[] {
    return this.#lines.filter(
      (line) => line.startsWith(`${name}{`) && labels.every((label) => line.includes(label)),
    );
  }

  sum(name: string, ...labels: readonly string[]): number {
    return this.lines(name, ...labels).reduce(
      (sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))),
      0,
    );
  }
}

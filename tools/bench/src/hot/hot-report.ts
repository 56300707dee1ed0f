/** The used part of `GET /v1/hot-partitions`. */
export interface HotReport {
  partitions: {
    index: string;
    unit: string;
    partition: string;
    hotSince?: string;
    shards?: number;
    unitsPerSecond: number;
    advice: string[];
  }[];
}

/** @returns undefined if the request fails */
export async function readHotReport(url: string): Promise<HotReport | undefined> {
  try {
    const answer = await fetch(`${url}/v1/hot-partitions?limit=20`);
    return answer.ok ? ((await answer.json()) as HotReport) : undefined;
  } catch {
    return undefined;
  }
}

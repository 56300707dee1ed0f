import { until } from '@engawa/testing';

/** Bytes of an upload: below the 10 MB that ingestion accepts of one request. */
const uploadBytes = 9_900_000;
const noteLength = 1900;

/** Readings of one device, a millisecond apart, which fill an upload. */
export function fullUpload(device: string, first: number): object[] {
  const reading = { device, ts: first, note: 'a'.repeat(noteLength) };
  const count = Math.floor(uploadBytes / (JSON.stringify(reading).length + 1));
  return Array.from({ length: count }, (_, index) => ({ ...reading, ts: first + index }));
}

/**
 * Sends readings to ingestion, directly or through a gateway. Repeats a request that the table is too slow for, as its
 * response says.
 * @throws Error for another response than that all are stored
 */
export async function storeReadings(url: string, readings: object[]): Promise<void> {
  const body = readings.map((reading) => JSON.stringify(reading)).join('\n');
  const headers = { 'content-type': 'application/x-ndjson' };
  await until(`${readings.length} stored readings`, async () => {
    const response = await fetch(`${url}/v1/readings`, { method: 'POST', headers, body });
    const text = await response.text();
    if (response.status === 503 && text.includes('/problems/table-throttled')) return false;
    if (!response.ok) throw new Error(`${response.status}: ${text}`);
    const { stored } = JSON.parse(text) as { stored: number };
    if (stored !== readings.length) throw new Error(text);
    return true;
  });
}

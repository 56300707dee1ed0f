import { hotDevice } from './scene.ts';
import type { DemoStack } from './demo-stack.ts';

interface Page {
  items?: unknown[];
  cursor?: string | null;
}

/** Readings of the hot device, as the query service gives them to anybody. */
export async function countReadings({ urls }: DemoStack, from: number): Promise<number> {
  const range = new URLSearchParams({
    from: new Date(from).toISOString(),
    to: new Date(Date.now() + 60_000).toISOString(),
    limit: '1000',
  });
  const path = `${urls.query.api}/v1/devices/${hotDevice}/readings?${String(range)}`;
  return count(path);
}

/** New devices in the registry's list of names. */
export function countDevices({ urls }: DemoStack): Promise<number> {
  const path = `${urls.registry.api}/v1/devices?limit=1000&namePrefix=lamp-`;
  return count(path);
}

async function count(path: string): Promise<number> {
  let sum = 0;
  let cursor: string | undefined = '';
  while (cursor !== undefined) {
    const next = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const answer = await fetch(`${path}${next}`);
    if (!answer.ok) return sum;
    const page = (await answer.json()) as Page;
    sum += (page.items ?? []).length;
    cursor = page.cursor ?? undefined;
  }
  return sum;
}

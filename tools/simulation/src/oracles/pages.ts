import { Violation } from '../world/violation.ts';
import type { Random } from '../kernel/index.ts';
import type { Gateway } from '../world/gateway.ts';
import type { ServiceName } from '../world/load-services.ts';

export interface List {
  service: ServiceName;
  /** Includes the query, except `limit` and `cursor`. */
  path: string;
  /** Range from which the maximum number of elements per page is drawn, once per list. */
  limit: { from: number; to: number };
  /** The property of a response that has the elements; by default `items`. */
  itemsIn?: string;
}

/** All elements of a list, page by page; undefined if its owner does not exist. */
export async function allPages<Element>(
  { gateway, random }: { gateway: Gateway; random: Random },
  { service, path, limit: { from, to }, itemsIn = 'items' }: List,
): Promise<Element[] | undefined> {
  const elements: Element[] = [];
  const limit = random.integer(from, to);
  const list = `${path}${path.includes('?') ? '&' : '?'}limit=${limit}`;
  let cursor: string | undefined;
  do {
    const more = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { status, text } = await gateway.insist(service, { path: list + more });
    if (status === 404) return undefined;
    if (status !== 200) throw new Violation(`GET ${list}: ${status} ${text}`);
    const page = JSON.parse(text) as Record<string, unknown>;
    const items = page[itemsIn] as Element[];
    if (items.length > limit) {
      throw new Violation(`GET ${list}: ${items.length} elements on a page`);
    }
    elements.push(...items);
    cursor = page['cursor'] as string | undefined;
  } while (cursor !== undefined);
  return elements;
}

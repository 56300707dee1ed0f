import type { TestResponse, Catalog } from './catalog.ts';

/** Query parameters; a list repeats the parameter. */
export type Parameters = Record<string, string | number | readonly string[] | undefined>;

export interface Page<Item> {
  items: Item[];
  cursor?: string;
}

export function pathTo(segments: readonly string[], parameters: Parameters = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? (value as string[]) : [value]) {
      query.append(name, String(one));
    }
  }
  const path = ['/v1', ...segments.map(encodeURIComponent)].join('/');
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

/** The body of a response that must have status 200. */
export async function ask<Body>(
  catalog: Catalog,
  segments: readonly string[],
  parameters?: Parameters,
): Promise<Body> {
  const answer = await catalog.ask(pathTo(segments, parameters));
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body as Body;
}

/** All pages in order. */
export async function walk<Item>(
  catalog: Catalog,
  segments: readonly string[],
  parameters: Parameters = {},
): Promise<Page<Item>[]> {
  const pages = [await ask<Page<Item>>(catalog, segments, parameters)];
  for (let cursor = pages[0]?.cursor; cursor !== undefined; cursor = pages.at(-1)?.cursor) {
    pages.push(await ask<Page<Item>>(catalog, segments, { ...parameters, cursor }));
  }
  return pages;
}

export function itemsIn<Item>(pages: readonly Page<Item>[]): Item[] {
  return pages.flatMap(({ items }) => items);
}

export function idsIn(pages: readonly Page<{ id: string }>[]): string[] {
  return itemsIn(pages).map(({ id }) => id);
}

export function queryResponse(
  catalog: Catalog,
  segments: readonly string[],
  parameters?: Parameters,
) {
  return catalog.ask(pathTo(segments, parameters));
}

/** The byte order of DynamoDB. */
export function byBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

/** Status, type and error paths of a problem response. */
export function problemOf({ status, body }: TestResponse) {
  const { type, errors = [] } = body as { type: string; errors?: { path: string }[] };
  return { status, type: type.split('/').at(-1), paths: errors.map(({ path }) => path) };
}

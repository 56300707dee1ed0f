import { Violation } from '../../world/violation.ts';
import type { CatalogClient } from './catalog-client.ts';

interface Page {
  items: unknown[];
  cursor?: string;
  total?: number;
}

/** All elements of a list, page by page. @throws Violation for a response that is not a page */
export async function everyItem(
  client: CatalogClient,
  path: string,
  limit: number,
): Promise<{ items: unknown[]; total: number | undefined }> {
  const items: unknown[] = [];
  let cursor: string | undefined;
  let total: number | undefined;
  do {
    const query = new URLSearchParams({ limit: String(limit), ...(cursor && { cursor }) });
    const mark = path.includes('?') ? '&' : '?';
    const answer = await client.insist({ path: `${path}${mark}${query.toString()}` });
    if (answer.status !== 200) throw new Violation(`GET ${path}: ${answer.text}`);
    const page = answer.body as unknown as Page;
    items.push(...page.items);
    total ??= page.total;
    cursor = page.cursor;
  } while (cursor !== undefined);
  return { items, total };
}

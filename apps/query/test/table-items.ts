import type { QueryFixture } from './query-fixture.ts';

export interface TableItem {
  key: Record<string, string>;
  kind: string;
  bytes: number;
  attributes: Record<string, Record<string, unknown>>;
  decoded: {
    key?: Record<string, unknown>;
    readings?: { time: string; fields: Record<string, unknown> }[];
    values?: Record<string, unknown>;
    error?: string;
  };
}

export interface TableItemsPage {
  items: TableItem[];
  cursor?: string;
  families: string[];
  projection: { isComplete: boolean; attributes?: string[]; note?: string };
  price: { estimatedUnits: number; why: string; whyCode: object };
  consumed: { units: number; requests: number; isReported: boolean };
}

export function itemsPath(parameters: Record<string, string>): string {
  return `/v1/table/items?${new URLSearchParams(parameters).toString()}`;
}

/** A page; the fixture compares it with the contract. @throws Error for another status than 200 */
export async function browse(
  query: QueryFixture,
  parameters: Record<string, string>,
): Promise<TableItemsPage> {
  const { status, text, body } = await query.ask(itemsPath(parameters));
  if (status !== 200) throw new Error(text);
  return body as TableItemsPage;
}

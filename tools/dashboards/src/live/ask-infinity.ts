import { selectRows } from './json-selection.ts';
import type { SelectedRow } from './json-selection.ts';
import type { TargetModel } from './dashboard-model.ts';

export interface InfinitySource {
  /** Base URL of the API, as in the settings of the data source. */
  baseUrl: string;
  /** Fills variables in. */
  fill: (text: string) => string;
}

/** The rows that the Infinity data source makes of the API's answer. @throws Error unless the status is 2xx */
export async function askInfinity(
  target: TargetModel,
  { baseUrl, fill }: InfinitySource,
): Promise<SelectedRow[]> {
  const { url = '', url_options: { params = [] } = {} } = target;
  const { root_selector: selector = '', columns = [] } = target;
  const question = new URLSearchParams(
    params.map(({ key, value }): [string, string] => [key, fill(value)]),
  );
  const rows: SelectedRow[] = [];
  for await (const page of pagesOf(`${baseUrl}${fill(url)}`, question, target)) {
    rows.push(...selectRows(page, fill(selector)));
  }
  return rows.map((row) =>
    Object.fromEntries(columns.map(({ selector: from, text }) => [text, row[from]])),
  );
}

/** The first page, and as many more as Infinity asks for by the cursor of the page before. */
async function* pagesOf(
  address: string,
  question: URLSearchParams,
  { pagination_mode: mode, pagination_max_pages: followed = 0 }: TargetModel,
): AsyncGenerator {
  for (let more = mode === 'cursor' ? followed : 0; ; more -= 1) {
    const answer = await fetch(`${address}?${String(question)}`);
    if (!answer.ok) throw new Error(`${answer.status} for ${address}: ${await answer.text()}`);
    const page = (await answer.json()) as { cursor?: string };
    yield page;
    if (page.cursor === undefined || more === 0) return;
    question.set('cursor', page.cursor);
  }
}

/** Whether a column of this type can show the value. */
export function isShown(value: unknown, type: string): boolean {
  if (type === 'timestamp') return Number.isFinite(Date.parse(String(value)));
  if (type === 'number') return typeof value === 'number' && Number.isFinite(value);
  return typeof value === 'string' && value !== '';
}

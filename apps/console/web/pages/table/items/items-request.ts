import type { query } from '@engawa/client';

export type ItemsRequest = query.GetTableItemsInput;
export type ItemsPage = query.GetTableItemsOutput;
export type TableItem = ItemsPage['items'][number];

export const indexes = ['table', 'gsi1', 'gsi2'] as const;
export const conditions = ['any', 'sk', 'skPrefix', 'range'] as const;
export type Condition = (typeof conditions)[number];

/** Items of a page; the service returns at most 100. */
export const limits = [1, 10, 20, 50, 100] as const;
const defaultLimit = 20;

/** The form as the URL has it: texts, which may be incomplete. */
export interface ItemsForm {
  index: (typeof indexes)[number];
  pk: string;
  condition: Condition;
  sk: string;
  skPrefix: string;
  skFrom: string;
  skTo: string;
  order: 'asc' | 'desc';
  limit: number;
}

export function formOf(parameters: URLSearchParams): ItemsForm {
  const text = (name: string): string => parameters.get(name) ?? '';
  const limit = Number(parameters.get('limit') ?? defaultLimit);
  const given = conditions.find((one) => one === text('condition'));
  const implied = (['sk', 'skPrefix'] as const).find((name) => text(name) !== '');
  return {
    index: indexes.find((one) => one === text('index')) ?? 'table',
    pk: text('pk'),
    condition: given ?? implied ?? (text('skFrom') + text('skTo') === '' ? 'any' : 'range'),
    ...{ sk: text('sk'), skPrefix: text('skPrefix'), skFrom: text('skFrom'), skTo: text('skTo') },
    order: text('order') === 'desc' ? 'desc' : 'asc',
    limit: limits.find((one) => one === limit) ?? defaultLimit,
  };
}

/** The request of a form; undefined without a partition key. Empty values of the sort key are no condition. */
export function requestOf(form: ItemsForm): ItemsRequest | undefined {
  const { index, pk, condition, order, limit } = form;
  if (pk === '') return undefined;
  const used: Record<Condition, readonly ('sk' | 'skPrefix' | 'skFrom' | 'skTo')[]> = {
    any: [],
    sk: ['sk'],
    skPrefix: ['skPrefix'],
    range: ['skFrom', 'skTo'],
  };
  const given = used[condition].filter((name) => form[name] !== '');
  const range = Object.fromEntries(given.map((name) => [name, form[name]]));
  return { index, pk, ...range, order, limit };
}

/** The parameters of the URL that show the items of a key. */
export function itemsAddress(request: Partial<Record<keyof ItemsRequest, string>>): string {
  const query = new URLSearchParams({ view: 'items', ...request });
  return `/table?${query.toString()}`;
}

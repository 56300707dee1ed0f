import { api } from '../../../api/client.ts';
import { timeZone } from '../../../i18n/format.ts';
import { filterInput, searchInput } from './find-form.ts';
import type { Condition, Finder } from './find-form.ts';

export interface FindQuestion {
  type: string;
  finder: Finder;
  /** Of each part of a search, or of each filter. */
  conditions: readonly Condition[];
  words: string;
  /** The id of the entity whose ranking it is. */
  within: string;
  /** Of a ranking per period; empty for the current one. */
  period: string;
}

export interface Found {
  id: string;
  attributes: Readonly<Record<string, unknown>>;
  rank?: number;
}

export interface FindPage {
  items: readonly Found[];
  cursor: string | undefined;
  /** The period that a ranking is of. */
  period?: string | undefined;
}

const limit = 20;

/** A page of entities. @throws ProblemError, TypeError as of a request */
export async function find(question: FindQuestion, cursor: string | undefined): Promise<FindPage> {
  const { type, finder, conditions, words, within, period } = question;
  const page = { type, limit, cursor };
  if (finder.kind === 'list') {
    const { body } = await api.catalog.listEntities(page);
    return pageOf(body);
  }
  if (finder.kind === 'search') {
    const input = { ...searchInput(conditions), timeZone, whole: true };
    const { body } = await api.catalog.searchEntities({ ...page, name: finder.name, ...input });
    const items = body.items.map((item) => ({
      id: item.id,
      attributes: 'attributes' in item ? item.attributes : item.values,
    }));
    return { items, cursor: body.cursor };
  }
  if (finder.kind === 'ranking') {
    const choice = { ...(within !== '' && { within }), ...(period !== '' && { period }) };
    const input = { ...page, name: finder.name, ...choice, whole: true };
    const { body } = await api.catalog.getRanking(input);
    const items = body.items.map(({ id, rank, value, entity }) => ({
      ...{ id, rank, attributes: entity?.attributes ?? { value } },
    }));
    return { items, cursor: body.cursor, period: body.period };
  }
  const filter = filterInput(finder.parts, conditions);
  const { body } = await api.catalog.searchTexts({
    ...{ type: [type], filter, timeZone, whole: true, limit, cursor },
    ...(words !== '' && { q: words }),
  });
  const items = body.items.map(({ id, entity }) => ({ id, attributes: entity?.attributes ?? {} }));
  return { items, cursor: body.cursor };
}

function pageOf({ items, cursor }: { items: readonly Found[]; cursor?: string | undefined }) {
  return { items: items.map(({ id, attributes }) => ({ id, attributes })), cursor };
}

import { api } from '../api/client.ts';
import { shared } from '../i18n/shared.ts';
import { pages } from '../pages/pages.ts';
import { searchKeys } from './search-keys.ts';
import type { SearchResult } from './search-result.ts';

type Source = (text: string, signal: AbortSignal) => Promise<SearchResult[]>;

const maxDevices = 8;
const maxPlaces = 4;
const maxEntities = 6;

/** In the order of the results. */
const sources: readonly Source[] = [searchKeys, searchPlaces, searchDevices, searchEntities];

/**
 * Pages, partition keys, places, devices and entities of the catalog that match a text. A source that fails, such as a
 * service for which the token has no scope, has no results.
 * @throws ProblemError, TypeError where all sources fail
 */
export async function search(text: string, signal: AbortSignal): Promise<SearchResult[]> {
  const wanted = text.trim();
  const found = matchingPages(wanted);
  if (wanted === '') return found;
  const answers = await Promise.allSettled(sources.map((source) => source(wanted, signal)));
  const failed = answers.filter(({ status }) => status === 'rejected');
  const [first] = failed;
  if (first?.status === 'rejected' && failed.length === answers.length) throw first.reason;
  const results = answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  return [...new Map([...found, ...results].map((one) => [one.address, one])).values()];
}

function matchingPages(prefix: string): SearchResult[] {
  const { pages: names, search: texts } = shared.value;
  return pages
    .filter(({ name }) => names[name].toLowerCase().startsWith(prefix.toLowerCase()))
    .map(({ name, path }) => ({ name: names[name], detail: texts.page, address: path }));
}

async function searchPlaces(namePrefix: string, signal: AbortSignal): Promise<SearchResult[]> {
  const { body } = await api.registry.listPlaces({ namePrefix, limit: maxPlaces }, { signal });
  return body.items.map(({ id, name }) => ({
    name,
    detail: `${shared.value.search.place} · ${id}`,
    address: `/house?place=${encodeURIComponent(id)}`,
  }));
}

async function searchDevices(namePrefix: string, signal: AbortSignal): Promise<SearchResult[]> {
  const { body } = await api.registry.listDevices({ namePrefix, limit: maxDevices }, { signal });
  return body.items.map(({ id, name, place, room }) => ({
    name,
    detail: [shared.value.search.device, place, room, id].filter(Boolean).join(' · '),
    address: `/explore?device=${encodeURIComponent(id)}`,
  }));
}

async function searchEntities(q: string, signal: AbortSignal): Promise<SearchResult[]> {
  const { body } = await api.catalog.searchTexts(
    { q, limit: maxEntities, whole: true },
    { signal },
  );
  return body.items.map(({ type, id, entity }) => ({
    name: nameOf(id, entity?.attributes),
    detail: [type, id].join(' · '),
    address: `/table?${new URLSearchParams({ view: 'catalog', type, id }).toString()}`,
  }));
}

/** The attribute that is a name, else the id. */
function nameOf(id: string, attributes: Readonly<Record<string, unknown>> = {}): string {
  const named = ['name', 'title', 'label'].map((name) => attributes[name]);
  return named.find((value) => typeof value === 'string') ?? id;
}

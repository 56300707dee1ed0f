import { api } from '../api/client.ts';
import { shared } from '../i18n/shared.ts';
import { pages } from '../pages/pages.ts';

export interface SearchResult {
  name: string;
  detail: string;
  /** The path and query of the page that shows it. */
  address: string;
}

const maxDevices = 8;

/** Pages and devices whose names begin with the text. @throws ProblemError, TypeError as of a request */
export async function search(text: string, signal: AbortSignal): Promise<SearchResult[]> {
  const { pages: names, search: texts } = shared.value;
  const prefix = text.trim();
  const found = pages
    .filter(({ name }) => names[name].toLowerCase().startsWith(prefix.toLowerCase()))
    .map(({ name, path }) => ({ name: names[name], detail: texts.pages, address: path }));
  if (prefix === '') return found;
  const { body } = await api.registry.listDevices(
    { namePrefix: prefix, limit: maxDevices },
    { signal },
  );
  const devices = body.items.map(({ id, name, place, room }) => ({
    name,
    detail: [place, room, id].filter((part) => part !== undefined).join(' / '),
    address: `/explore?device=${encodeURIComponent(id)}`,
  }));
  return [...found, ...devices];
}

import { batch, computed, signal } from '@preact/signals';

const path = signal(location.pathname);
const search = signal(location.search);

/** The path of the current page. */
export const currentPath = computed(() => path.value);

/** The query parameters of the current page: the state that a link shares. */
export const currentQuery = computed(() => new URLSearchParams(search.value));

function readLocation(): void {
  batch(() => {
    path.value = location.pathname;
    search.value = location.search;
  });
}

interface NavigateOptions {
  /** Without an entry in the history. */
  replace?: boolean;
  /** What the entry is, for the page that made it. A replaced address keeps it. */
  entry?: unknown;
}

/** Goes to a page of the console. @param address a path with an optional query */
export function navigate(
  address: string,
  { replace = false, entry = null }: NavigateOptions = {},
): void {
  if (replace) history.replaceState(history.state, '', address);
  else history.pushState(entry, '', address);
  readLocation();
}

/**
 * Changes query parameters of the current page, without an entry in the history. An undefined value removes its
 * parameter.
 */
export function setQuery(changes: Readonly<Record<string, string | undefined>>): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  navigate(location.pathname + (text === '' ? '' : `?${text}`), { replace: true });
}

/** Makes links to pages of the console change the page without loading the document again. */
export function listenToLinks(): void {
  addEventListener('popstate', readLocation);
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element | null)?.closest('a');
    if (link?.origin !== location.origin || link.target !== '' || link.download) return;
    if (link.pathname.startsWith('/api/')) return;
    event.preventDefault();
    navigate(link.pathname + link.search);
    scrollTo(0, 0);
  });
}

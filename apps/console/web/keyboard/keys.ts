import { signal } from '@preact/signals';
import { navigate } from '../router/router.ts';

/** A key of the current page, as `?` lists it. */
export interface PageKey {
  key: string;
  /** In the user's language. */
  label: () => string;
  /** Absent where a part of the page listens to the key itself. */
  run?: () => void;
  /** The names of the keys in the list, if `key` is none of them. */
  shown?: () => readonly string[];
  /** The heading in the list, if it is not that of the page. */
  section?: () => string;
}

/** A page that `g` and its key go to. */
export interface KeyedPage {
  key: string;
  path: string;
}

/** Which dialog is open. */
export const openDialog = signal<'none' | 'keys' | 'search'>('none');

/** The keys of the page that is shown. */
export const pageKeys = signal<readonly PageKey[]>([]);

/** Milliseconds within which the second key of `g h` must follow. */
const sequenceMs = 1500;
let goPressedAt = -Infinity;

/**
 * Adds keys of a page. @returns removes them: `useLayoutEffect(() => registerKeys([…]), [])`. An effect after the
 * drawing would be too late: a key pressed at once would be lost.
 */
export function registerKeys(keys: readonly PageKey[]): () => void {
  pageKeys.value = [...pageKeys.peek(), ...keys];
  return () => {
    pageKeys.value = pageKeys.peek().filter((key) => !keys.includes(key));
  };
}

/** @param pages those of the console: as they register their keys here, this file imports none of them */
export function listenToKeys(pages: readonly KeyedPage[]): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isEditable(event.target) || openDialog.peek() !== 'none') return;
    if (handle(event.key, event.timeStamp, pages)) event.preventDefault();
  });
}

function isEditable(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input:not([type=checkbox]), select, textarea, [contenteditable]') !== null
  );
}

/** @param at milliseconds @returns whether the key has a meaning */
function handle(key: string, at: number, pages: readonly KeyedPage[]): boolean {
  const follows = at - goPressedAt < sequenceMs;
  goPressedAt = -Infinity;
  if (follows) {
    const page = pages.find((one) => one.key === key);
    if (page !== undefined) navigate(page.path);
    return page !== undefined;
  }
  if (key === 'g') goPressedAt = at;
  else if (key === '?') openDialog.value = 'keys';
  else if (key === '/') openDialog.value = 'search';
  else {
    const run = pageKeys.peek().find((one) => one.key === key)?.run;
    run?.();
    return run !== undefined;
  }
  return true;
}

import { useLayoutEffect, useRef } from 'preact/hooks';
import { registerKeys } from '../../keyboard/keys.ts';
import { setQuery } from '../../router/router.ts';
import { discardRequest } from './discard-dialog.tsx';
import { deadLettersTexts } from './texts.ts';
import type { LettersStore } from './letters-store.ts';
import type { ListedLetter } from './model.ts';

interface PageKeysOptions {
  store: LettersStore;
  /** As shown. */
  order: readonly ListedLetter[];
  opened: string | undefined;
  reload: () => void;
}

/** The keys of the page: they act on the selection, or on the open dead letter where nothing is selected. */
export function usePageKeys(options: PageKeysOptions): void {
  const latest = useRef(options);
  latest.current = options;
  useLayoutEffect(() => {
    const move = (step: number): void => {
      const { order, opened } = latest.current;
      const at = order.findIndex(({ id }) => id === opened);
      const next = at < 0 ? order[0] : order[at + step];
      if (next !== undefined) show(next.id);
    };
    const texts = () => deadLettersTexts.value.keys;
    return registerKeys([
      { key: 'j', label: () => texts().next, run: () => move(1) },
      { key: 'k', label: () => texts().previous, run: () => move(-1) },
      { key: 'x', label: () => texts().select, run: () => toggle(latest.current) },
      {
        key: 'r',
        label: () => texts().replay,
        run: () => void latest.current.store.run('replay', targets(latest.current)),
      },
      {
        key: 'Delete',
        label: () => texts().discard,
        run: () => {
          const ids = targets(latest.current);
          if (ids.length > 0) discardRequest.value = ids;
        },
      },
      {
        key: 'Escape',
        label: () => texts().close,
        run: () => setQuery({ letter: undefined, form: undefined }),
      },
      { key: 'u', label: () => texts().reload, run: () => latest.current.reload() },
    ]);
  }, []);
}

/** Opens a dead letter, and brings its row into view. */
function show(id: string): void {
  setQuery({ letter: id, form: undefined });
  requestAnimationFrame(() => {
    document.querySelector('[aria-current="true"]')?.scrollIntoView({ block: 'nearest' });
  });
}

function targets({ store, opened }: PageKeysOptions): string[] {
  const selected = [...store.selected.peek()];
  return selected.length > 0 || opened === undefined ? selected : [opened];
}

function toggle({ store, opened }: PageKeysOptions): void {
  if (opened !== undefined) store.select([opened], !store.selected.peek().has(opened));
}

import { useEffect, useState } from 'preact/hooks';
import { shared } from '../i18n/shared.ts';
import { openDialog } from '../keyboard/keys.ts';
import { Dialog } from '../parts/dialog.tsx';
import { navigate } from '../router/router.ts';
import { search } from './search.ts';
import type { SearchResult } from './search-result.ts';

/** Milliseconds after the last key until services are searched. */
const debounceMs = 150;

/** Finds devices, places, entities, pages and partition keys; arrow keys choose, Enter opens. */
export function SearchDialog() {
  const texts = shared.value.search;
  const [text, setText] = useState('');
  const { results, isSearched, chosen, setChosen } = useSearch(text);
  const close = (): void => void (openDialog.value = 'none');
  const open = (result: SearchResult | undefined): void => {
    if (result === undefined) return;
    close();
    navigate(result.address);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0;
    if (step !== 0 && results.length > 0) {
      setChosen((chosen + step + results.length) % results.length);
      event.preventDefault();
    }
    if (event.key === 'Enter' && !event.isComposing) open(results[chosen]);
  };
  return (
    <Dialog title={texts.label} onClose={close}>
      <input
        class="input search-input"
        list={undefined}
        role="combobox"
        aria-label={texts.label}
        aria-expanded={results.length > 0}
        aria-controls="search-results"
        aria-activedescendant={results.length > 0 ? `search-result-${chosen}` : undefined}
        placeholder={texts.placeholder}
        autofocus
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Results results={results} chosen={chosen} onOpen={open} />
      {isSearched && results.length === 0 && <p class="muted">{texts.none}</p>}
    </Dialog>
  );
}

/** The results of the last search, and which of them is chosen. */
function useSearch(text: string) {
  const [results, setResults] = useState<readonly SearchResult[]>([]);
  const [isSearched, setSearched] = useState(false);
  const [chosen, setChosen] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(() => {
      search(text, controller.signal).then(
        (found) => {
          setResults(found);
          setChosen(0);
          setSearched(text !== '');
        },
        () => undefined, // the next key stroke searches again
      );
    }, debounceMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text]);
  return { results, isSearched, chosen, setChosen };
}

interface ResultsProps {
  results: readonly SearchResult[];
  chosen: number;
  onOpen: (result: SearchResult) => void;
}

function Results({ results, chosen, onOpen }: ResultsProps) {
  return (
    <ul
      id="search-results"
      role="listbox"
      aria-label={shared.value.search.label}
      class="search-results"
    >
      {results.map((result, index) => (
        <li
          key={result.address}
          id={`search-result-${index}`}
          role="option"
          aria-selected={index === chosen}
          onClick={() => onOpen(result)}
        >
          <span>{result.name}</span>
          <span class="muted">{result.detail}</span>
        </li>
      ))}
    </ul>
  );
}

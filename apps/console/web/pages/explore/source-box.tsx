import { sourceKey } from './explore-state.ts';
import type { ExploreStore } from './explore-store.ts';
import type { Source } from './explore-state.ts';

interface SourceBoxProps {
  store: ExploreStore;
  source: Source;
  name: string;
  detail?: string | undefined;
}

/** Chooses a source, or removes it. */
export function SourceBox({ store, source, name, detail }: SourceBoxProps) {
  const key = sourceKey(source);
  const { sources } = store.state.value;
  const isChosen = sources.some((one) => sourceKey(one) === key);
  const toggle = (): void =>
    store.change({
      sources: isChosen ? sources.filter((one) => sourceKey(one) !== key) : [...sources, source],
    });
  return (
    <label class="source-box">
      <input type="checkbox" checked={isChosen} onChange={toggle} />
      <span>{name}</span>
      {detail !== undefined && <span class="muted">{detail}</span>}
    </label>
  );
}

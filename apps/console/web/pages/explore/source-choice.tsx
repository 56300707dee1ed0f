import { Icon } from '../../parts/icon.tsx';
import { Button } from '../../parts/button.tsx';
import { sourceKey } from './explore-state.ts';
import { SourcePicker } from './source-picker.tsx';
import { exploreTexts } from './texts.ts';
import type { ExploreStore } from './explore-store.ts';
import type { Source } from './explore-state.ts';

/** The chosen sources, each with a button that removes it, and a dialog that adds others. */
export function SourceChoice({ store }: { store: ExploreStore }) {
  const { sources } = store.state.value;
  const { value: fields } = store.fields;
  const names = fields.kind === 'ready' ? fields.data.names : undefined;
  const texts = exploreTexts.value;
  return (
    <div class="explore-row">
      <h2 class="explore-label">{texts.sources}</h2>
      <ul class="chips">
        {sources.map((source) => (
          <li key={sourceKey(source)}>
            <Chip
              name={names?.get(sourceKey(source)) ?? idOf(source)}
              onRemove={() => store.change({ sources: sources.filter((one) => one !== source) })}
            />
          </li>
        ))}
        <li>
          <Button
            kind={sources.length === 0 ? 'primary' : 'plain'}
            onClick={() => store.openPicker()}
          >
            <Icon name="search" /> {texts.add}
          </Button>
        </li>
      </ul>
      {store.isPicking.value && <SourcePicker store={store} />}
    </div>
  );
}

function idOf(source: Source): string {
  return source.kind === 'room' ? `${source.place} · ${source.room}` : source.id;
}

function Chip({ name, onRemove }: { name: string; onRemove: () => void }) {
  return (
    <span class="chip">
      <span class="chip-name">{name}</span>
      <button type="button" aria-label={exploreTexts.value.remove(name)} onClick={onRemove}>
        <Icon name="close" />
      </button>
    </span>
  );
}

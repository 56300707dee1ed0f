import { fieldName } from '../house/texts.ts';
import { ErrorState } from '../../parts/states.tsx';
import { exploreTexts } from './texts.ts';
import type { ExploreStore } from './explore-store.ts';

/** The numeric fields of the chosen sources, as buttons that stay pressed. */
export function FieldChoice({ store }: { store: ExploreStore }) {
  const loaded = store.fields.value;
  const { fields: chosen } = store.state.value;
  if (loaded.kind === 'none') return null;
  if (loaded.kind === 'failed') {
    return <ErrorState error={loaded.error} onRetry={() => store.reload()} />;
  }
  const fields = loaded.kind === 'ready' ? loaded.data.fields : [];
  const toggle = (name: string): void =>
    store.change({
      fields: chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name],
    });
  // A field of a shared link stays visible where no source has reported it lately.
  const unreported = chosen.filter((name) => !fields.some((one) => one.name === name));
  return (
    <div class="explore-row" aria-busy={loaded.kind === 'loading'}>
      <h2 class="explore-label">{exploreTexts.value.fields}</h2>
      <div class="toggles" role="group" aria-label={exploreTexts.value.fields}>
        {[...fields, ...unreported.map((name) => ({ name, unit: undefined }))].map(
          ({ name, unit }) => (
            <button
              key={name}
              type="button"
              class="toggle"
              aria-pressed={chosen.includes(name)}
              title={name}
              onClick={() => toggle(name)}
            >
              {fieldName(name)}
              {unit !== undefined && <span class="unit"> {unit}</span>}
            </button>
          ),
        )}
      </div>
    </div>
  );
}

import { Choice } from './choice.tsx';
import { comparisons, shownValues } from './explore-state.ts';
import { exploreTexts } from './texts.ts';
import type { ExploreStore } from './explore-store.ts';

/** What is shown of the readings: a function or all of them, and a comparison. */
export function ViewBar({ store }: { store: ExploreStore }) {
  const { show, compare, split, sources } = store.state.value;
  const texts = exploreTexts.value;
  const canSplit = sources.some(({ kind }) => kind !== 'device') && show !== 'readings';
  return (
    <div class="explore-row explore-view">
      <Choice
        label={texts.show}
        value={show}
        options={shownValues.map((one) => [one, texts.functions[one]])}
        onChange={(chosen) => store.change({ show: chosen })}
      />
      {show !== 'readings' && (
        <Choice
          label={texts.compare}
          value={compare}
          options={comparisons.map((one) => [one, texts.comparisons[one]])}
          onChange={(chosen) => store.change({ compare: chosen })}
        />
      )}
      {canSplit && (
        <label class="explore-check">
          <input type="checkbox" checked={split} onChange={() => store.change({ split: !split })} />
          {texts.split}
        </label>
      )}
    </div>
  );
}

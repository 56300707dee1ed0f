import { timeZone } from '../../i18n/format.ts';
import { Button } from '../../parts/button.tsx';
import { instantOf, localTimeOf } from '../../charts/zoned-time.ts';
import { Choice } from './choice.tsx';
import { relativeRanges, resolveRange } from './explore-state.ts';
import { clamped } from './range.ts';
import { exploreTexts } from './texts.ts';
import type { ExploreStore } from './explore-store.ts';

const zoomStep = 2;
const panStep = 0.5;

/** The range of time: the last hours or days, or two dates; earlier, later, nearer, farther. */
export function RangeBar({ store }: { store: ExploreStore }) {
  const { range } = store.state.value;
  const texts = exploreTexts.value;
  const last = 'last' in range ? range.last : undefined;
  return (
    <div class="explore-row">
      <h2 class="explore-label">{texts.range}</h2>
      <div class="segments" role="group" aria-label={texts.range}>
        {relativeRanges.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === last}
            onClick={() => store.change({ range: { last: one } }, { isStep: true })}
          >
            {texts.ranges[one]}
          </button>
        ))}
      </div>
      <div class="range-steps">
        <Button label={texts.earlier} onClick={() => store.pan(-panStep)}>
          ‹
        </Button>
        <Button label={texts.later} onClick={() => store.pan(panStep)}>
          ›
        </Button>
        <Button label={texts.zoomIn} onClick={() => store.zoom(1 / zoomStep)}>
          +
        </Button>
        <Button label={texts.zoomOut} onClick={() => store.zoom(zoomStep)}>
          −
        </Button>
      </div>
    </div>
  );
}

/** Both ends as dates and times of the chosen zone, and the zone. */
export function RangeEnds({ store }: { store: ExploreStore }) {
  const { range, zone } = store.state.value;
  const { value: loaded } = store.loaded;
  const texts = exploreTexts.value;
  const shown =
    'last' in range && loaded.kind === 'ready'
      ? loaded.data.range
      : resolveRange(range, Date.now());
  const input = (end: 'from' | 'to') => (
    <label class="explore-choice">
      <span>{texts[end]}</span>
      <input
        class="input"
        type="datetime-local"
        value={localTimeOf(shown[end], zone)}
        onChange={(event) => {
          const chosen = instantOf(event.currentTarget.value, zone);
          if (chosen === undefined) return;
          const from = end === 'from' ? chosen : shown.from;
          const to = end === 'to' ? chosen : shown.to;
          if (from < to) store.change({ range: clamped({ from, to }) }, { isStep: true });
        }}
      />
    </label>
  );
  return (
    <div class="explore-row explore-view">
      {input('from')}
      {input('to')}
      <Choice
        label={texts.zone}
        value={zone}
        options={zonesWith(zone).map((one) => [one, one])}
        onChange={(chosen) => store.change({ zone: chosen })}
      />
    </div>
  );
}

/** The viewer's zone first, then UTC, then all others. */
function zonesWith(chosen: string): string[] {
  return [...new Set([timeZone, 'UTC', chosen, ...Intl.supportedValuesOf('timeZone')])];
}

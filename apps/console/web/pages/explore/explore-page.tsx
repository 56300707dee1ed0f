import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { chartKeys } from '../../charts/chart-keys.ts';
import { shared } from '../../i18n/shared.ts';
import { registerKeys } from '../../keyboard/keys.ts';
import { PageFrame } from '../../parts/page-frame.tsx';
import { Charts } from './charts.tsx';
import { ExploreStore } from './explore-store.ts';
import { FieldChoice } from './field-choice.tsx';
import { RangeBar, RangeEnds } from './range-bar.tsx';
import { SourceChoice } from './source-choice.tsx';
import { exploreTexts } from './texts.ts';
import { ExploreTools } from './tools.tsx';
import { ViewBar } from './view-bar.tsx';
import './explore.css';
import './explore-dialogs.css';

/** Charts of chosen devices, rooms and fields. All that is chosen is in the address. */
export function ExplorePage() {
  const [store] = useState(() => new ExploreStore());
  useEffect(() => store.start(), [store]);
  useLayoutEffect(() => registerKeys([...keysOf(store), ...chartKeys]), [store]);
  return (
    <PageFrame
      title={shared.value.pages.explore}
      zone={store.state.value.zone}
      tools={<ExploreTools store={store} />}
    >
      <section class="explore-choices" aria-label={exploreTexts.value.sources}>
        <SourceChoice store={store} />
        <FieldChoice store={store} />
        <RangeBar store={store} />
        <RangeEnds store={store} />
        <ViewBar store={store} />
      </section>
      <Charts store={store} />
    </PageFrame>
  );
}

const zoomStep = 2;
const panStep = 0.5;

function keysOf(store: ExploreStore) {
  const text = (name: 'zoomIn' | 'zoomOut' | 'earlier' | 'later' | 'reload') => () =>
    exploreTexts.value[name];
  return [
    { key: '+', label: text('zoomIn'), run: () => store.zoom(1 / zoomStep) },
    { key: '-', label: text('zoomOut'), run: () => store.zoom(zoomStep) },
    { key: '[', label: text('earlier'), run: () => store.pan(-panStep) },
    { key: ']', label: text('later'), run: () => store.pan(panStep) },
    { key: 'r', label: text('reload'), run: () => store.reload() },
    { key: 'a', label: () => exploreTexts.value.addTitle, run: () => store.openPicker() },
  ];
}

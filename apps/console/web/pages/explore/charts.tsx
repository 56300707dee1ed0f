import { useEffect, useRef } from 'preact/hooks';
import { formatInteger } from '../../i18n/format.ts';
import { Button } from '../../parts/button.tsx';
import { EmptyState, ErrorState, LoadingState } from '../../parts/states.tsx';
import { TimeChart } from '../../charts/time-chart.tsx';
import { fieldsWithoutNumbers } from './load-charts.ts';
import { nameList } from './labels.ts';
import { exploreTexts } from './texts.ts';
import type { Chart } from '../../charts/chart.ts';
import type { ExploreStore } from './explore-store.ts';

const zoomStep = 2;
/** Padding and border of a chart, left and right, in pixels. */
const chartMargins = 34;

/** The charts of the chosen sources, or a hint to choose some. */
export function Charts({ store }: { store: ExploreStore }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      store.width.value = Math.floor((entry?.contentRect.width ?? 0) - chartMargins);
    });
    if (element.current !== null) observer.observe(element.current);
    return () => observer.disconnect();
  }, [store]);
  return (
    <div ref={element} class="explore-charts" aria-busy={store.isBusy.value}>
      <Content store={store} />
    </div>
  );
}

function Content({ store }: { store: ExploreStore }) {
  const { sources, fields } = store.state.value;
  const texts = exploreTexts.value;
  const known = store.fields.value;
  const loaded = store.loaded.value;
  const charts = store.charts.value;
  if (sources.length === 0) {
    return (
      <EmptyState title={texts.empty}>
        <p>{texts.emptyAdvice}</p>
      </EmptyState>
    );
  }
  if (known.kind === 'failed') return null; // shown with the fields
  if (fields.length === 0) return <NoField store={store} />;
  if (loaded.kind === 'failed') {
    return <ErrorState error={loaded.error} onRetry={() => store.reload()} />;
  }
  if (charts === undefined) return <Loading store={store} />;
  return <ChartList store={store} charts={charts} />;
}

/** A chart that had values stays while others of its sources are shown: a movement into a gap can be taken back. */
function ChartList({ store, charts }: { store: ExploreStore; charts: readonly Chart[] }) {
  const choice = store.choice.value;
  const shown = useRef({ choice, keys: new Set<string>() });
  if (shown.current.choice !== choice) shown.current = { choice, keys: new Set() };
  const { keys } = shown.current;
  for (const chart of charts) if (!isEmpty(chart)) keys.add(chart.key);
  const loaded = store.loaded.value;
  const withoutNumbers = loaded.kind === 'ready' ? fieldsWithoutNumbers(loaded.data) : [];
  return (
    <>
      {charts
        .filter(({ key }) => keys.has(key))
        .map((chart) => (
          <TimeChart
            key={chart.key}
            chart={chart}
            width={store.width.value}
            control={store.mover}
            onZoom={(from, to) => store.zoomTo(from, to)}
            onBack={() => store.back()}
          />
        ))}
      {withoutNumbers.length > 0 && <NoNumbers names={withoutNumbers} />}
      {charts.every(isEmpty) && withoutNumbers.length === 0 && <NoValues store={store} />}
    </>
  );
}

function isEmpty({ series }: Chart): boolean {
  return series.every(({ column }) => column.every((value) => typeof value !== 'number'));
}

function NoField({ store }: { store: ExploreStore }) {
  const texts = exploreTexts.value;
  const known = store.fields.value;
  if (known.kind !== 'ready') return <LoadingState lines={3} />;
  const { fields, otherFields } = known.data;
  const hasFields = fields.length > 0;
  return (
    <EmptyState title={hasFields ? texts.chooseField : texts.noFields}>
      <p>{hasFields ? texts.chooseFieldAdvice : texts.noFieldsAdvice}</p>
      {!hasFields && otherFields.length > 0 && <p>{texts.otherFields(nameList(otherFields))}</p>}
    </EmptyState>
  );
}

function NoNumbers({ names }: { names: readonly string[] }) {
  const texts = exploreTexts.value;
  return (
    <EmptyState title={texts.noNumbers(nameList(names))}>
      <p>{texts.noNumbersAdvice}</p>
    </EmptyState>
  );
}

function Loading({ store }: { store: ExploreStore }) {
  const count = store.progress.value;
  const isOfReadings = store.state.value.show === 'readings';
  return (
    <>
      {isOfReadings && count > 0 && (
        <p class="muted" role="status">
          {exploreTexts.value.loaded(formatInteger(count))}
        </p>
      )}
      <LoadingState lines={6} />
    </>
  );
}

function NoValues({ store }: { store: ExploreStore }) {
  const texts = exploreTexts.value;
  return (
    <EmptyState title={texts.noValues}>
      <p>{texts.noValuesAdvice}</p>
      <Button onClick={() => store.zoom(zoomStep * zoomStep)}>{texts.zoomOut}</Button>
    </EmptyState>
  );
}

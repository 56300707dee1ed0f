import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { registerKeys } from '../../keyboard/keys.ts';
import { shared } from '../../i18n/shared.ts';
import { Choice } from '../../parts/choice.tsx';
import { PageFrame } from '../../parts/page-frame.tsx';
import { EmptyState, ErrorState, LoadingState } from '../../parts/states.tsx';
import { currentQuery, setQuery } from '../../router/router.ts';
import { followRow } from './cursor.ts';
import { Explanation } from './explanation.tsx';
import { HeatFeed } from './feed/heat-feed.ts';
import { resolutions, rowId } from './heat-grid.ts';
import { measures } from './heat-row.ts';
import { HeatMap } from './heat-map.tsx';
import { HotNow } from './hot-now.tsx';
import { HottestRows } from './hottest-rows.tsx';
import { Legend } from './legend.tsx';
import { MarkLists } from './mark-lists.tsx';
import { Readout } from './readout.tsx';
import { hasUse, orders, sortRows } from './row-order.ts';
import { heatTexts } from './texts.ts';
import type { Resolution } from './heat-grid.ts';
import type { Measure } from './heat-row.ts';
import type { Cursor } from './cursor.ts';
import type { RowOrder } from './row-order.ts';
import '../../parts/data.css';
import './heat.css';
import './heat-map.css';

/** The choices of the page, as the URL has them; the first value of each is the default. */
interface HeatView {
  resolution: Resolution;
  measure: Measure;
  order: RowOrder;
  /** Id of the explained row. */
  key: string | undefined;
}

function currentView(): HeatView {
  const query = currentQuery.value;
  const oneOf = <Value extends string>(name: string, values: readonly [Value, ...Value[]]): Value =>
    values.find((value) => value === query.get(name)) ?? values[0];
  return {
    resolution: oneOf('resolution', resolutions),
    measure: oneOf('measure', measures),
    order: oneOf('order', orders),
    key: query.get('key') ?? undefined,
  };
}

/** The partition keys of the table over time. */
export function HeatPage() {
  const { resolution, measure, order } = currentView();
  useLayoutEffect(() => registerKeys(pageKeys), []);
  const {
    resolution: columns,
    resolutions: columnNames,
    measure: colour,
    measures: colours,
  } = heatTexts.value;
  const { order: rows, orders: rowOrders } = heatTexts.value;
  return (
    <PageFrame title={shared.value.pages.heat}>
      <div class="choice-bar">
        <Choice label={columns} name="resolution" names={columnNames} value={resolution} />
        <Choice label={colour} name="measure" names={colours} value={measure} />
        <Choice label={rows} name="order" names={rowOrders} value={order} />
      </div>
      <FeedContent key={resolution} resolution={resolution} />
    </PageFrame>
  );
}

/** Changes a parameter of the URL to the value after the current one. */
function next<Value extends string>(name: string, values: readonly Value[], current: Value): void {
  setQuery({ [name]: values[(values.indexOf(current) + 1) % values.length] });
}

const pageKeys = [
  {
    key: '1',
    label: () => heatTexts.value.keys.second,
    run: () => setQuery({ resolution: 'second' }),
  },
  {
    key: '2',
    label: () => heatTexts.value.keys.minute,
    run: () => setQuery({ resolution: 'minute' }),
  },
  {
    key: 'c',
    label: () => heatTexts.value.keys.measure,
    run: () => next('measure', measures, currentView().measure),
  },
  {
    key: 'o',
    label: () => heatTexts.value.keys.order,
    run: () => next('order', orders, currentView().order),
  },
];

function FeedContent({ resolution }: { resolution: Resolution }) {
  const [feed] = useState(() => new HeatFeed(resolution));
  useEffect(() => {
    void feed.run();
    return () => feed.close();
  }, [feed]);
  const isLoaded = feed.version.value > 0;
  if (feed.error.value !== undefined && !isLoaded) return <ErrorState error={feed.error.value} />;
  return isLoaded ? <Content feed={feed} /> : <LoadingState />;
}

function Content({ feed }: { feed: HeatFeed }) {
  const { grid } = feed;
  const { measure, order, key } = currentView();
  const cursor = useSignal<Cursor | undefined>(undefined);
  const all = grid.rows;
  const used = all.filter((row) => hasUse(row, measure));
  const rows = sortRows(used, order);
  useLayoutEffect(() => followRow(cursor, rows));
  const select = (id: string | undefined): void => setQuery({ key: id });
  const reported = feed.partitions.value.filter(
    (partition) => rowId({ ...partition, merged: false }) === key,
  );
  return (
    <>
      <Failures feed={feed} />
      <HotNow partitions={feed.partitions.value} limits={grid.limits} onSelect={select} />
      <div class={`heat-main${key === undefined ? '' : ' heat-main-explained'}`}>
        <div class="heat-card">
          <Legend limits={grid.limits} measure={measure} />
          {rows.length === 0 ? (
            <Nothing measure={measure} />
          ) : (
            <>
              <Readout {...{ grid, rows, cursor }} />
              <HeatMap
                {...{ grid, rows, measure, cursor }}
                isByLoad={order === 'load'}
                selected={key}
                onSelect={({ id }) => select(id)}
              />
            </>
          )}
          <MarkLists grid={grid} onSelect={({ id }) => select(id)} />
        </div>
        {key !== undefined && (
          <Explanation
            row={grid.row(key)}
            reported={reported}
            keys={grid.keys}
            onClose={() => select(undefined)}
          />
        )}
      </div>
      {all.length > 0 && (
        <HottestRows rows={all} selected={key} onSelect={({ id }) => select(id)} />
      )}
    </>
  );
}

/** The map keeps its last columns while no service answers. */
function Failures({ feed }: { feed: HeatFeed }) {
  if (feed.error.value !== undefined) return <ErrorState error={feed.error.value} />;
  const names = feed.unavailable.value.map(({ service }) => service);
  if (names.length === 0) return null;
  return (
    <p class="notice notice-danger heat-notice" role="status">
      {heatTexts.value.unavailable(names.join(', '))}
    </p>
  );
}

function Nothing({ measure }: { measure: Measure }) {
  const { empty, emptyAdvice, emptyMeasure, emptyMeasureAdvice } = heatTexts.value;
  const isThrottles = measure === 'throttles';
  return (
    <EmptyState title={isThrottles ? emptyMeasure : empty}>
      <p>{isThrottles ? emptyMeasureAdvice : emptyAdvice}</p>
    </EmptyState>
  );
}

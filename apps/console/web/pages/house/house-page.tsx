import { signal } from '@preact/signals';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { loader } from '../../api/load.ts';
import { repeatWhileActive } from '../../api/while-active.ts';
import { shared } from '../../i18n/shared.ts';
import { isNarrow } from '../../parts/media.ts';
import { PageFrame } from '../../parts/page-frame.tsx';
import { EmptyState, ErrorState, LoadingState } from '../../parts/states.tsx';
import { VirtualList } from '../../parts/virtual-list.tsx';
import { currentQuery } from '../../router/router.ts';
import { readPreference, storePreference } from '../../preferences.ts';
import { DeviceRow } from './device-row.tsx';
import { HouseStore } from './house-store.ts';
import { PlaceHeader } from './place-header.tsx';
import { Problems } from './problems.tsx';
import { heightOf, rowsOf } from './rows.ts';
import { houseTexts } from './texts.ts';
import type { Row } from './rows.ts';
import './house.css';

/**
 * Milliseconds between requests for the lists of places and devices, and for the places in view: with the time of the
 * requests, the page is right within a minute.
 */
const refreshMs = 50_000;

/** Lines that stand for devices while a place is loaded. */
const maxSkeletonLines = 12;

const collapsed = signal<ReadonlySet<string>>(
  new Set((readPreference('collapsed-places') ?? '').split('\n').filter((id) => id !== '')),
);

function toggle(id: string): void {
  const next = new Set(collapsed.peek());
  if (!next.delete(id)) next.add(id);
  collapsed.value = next;
  storePreference('collapsed-places', [...next].join('\n'));
}

/** Places, rooms and devices with their current values; problems first. */
export function HousePage() {
  const [{ store, loading }] = useState(() => {
    const created = new HouseStore();
    return { store: created, loading: loader(() => created.load()) };
  });
  useEffect(() => {
    void loading.reload();
    const stop = repeatWhileActive(() => void store.refresh().catch(() => undefined), refreshMs);
    return () => {
      stop();
      store.close();
    };
  }, [store, loading]);
  return (
    <PageFrame title={shared.value.pages.house}>
      <Content store={store} loading={loading} />
    </PageFrame>
  );
}

interface ContentProps {
  store: HouseStore;
  loading: ReturnType<typeof loader<void>>;
}

function Content({ store, loading }: ContentProps) {
  const state = loading.state.value;
  if (state.kind === 'failed') {
    return <ErrorState error={state.error} onRetry={() => void loading.reload()} />;
  }
  if (state.kind === 'loading') return <LoadingState />;
  const isEmpty = store.places.value.length === 0;
  return (
    <>
      <Problems store={store} />
      {isEmpty ? <Empty /> : <Rows store={store} />}
    </>
  );
}

function Empty() {
  const { empty, emptyAdvice } = houseTexts.value;
  const reading = JSON.stringify([{ device: 'my-sensor', temperature: 21.5 }]);
  const command = `curl -H 'content-type: application/json' -d '${reading}' '${location.origin}/api/ingestion/v1/readings'`;
  return (
    <EmptyState title={empty}>
      <p>{emptyAdvice}</p>
      <pre tabIndex={0}>{command}</pre>
    </EmptyState>
  );
}

function Rows({ store }: { store: HouseStore }) {
  const rows = rowsOf(store.places.value, collapsed.value);
  const narrow = isNarrow.value;
  const show = useMemo(() => visiblePlaces(store), [store]);
  const linked = currentQuery.value.get('place') ?? undefined;
  useEffect(() => {
    if (linked !== undefined && collapsed.peek().has(linked)) toggle(linked);
  }, [linked]);
  const at = (index: number): Row | undefined => rows[index];
  return (
    <VirtualList
      count={rows.length}
      label={houseTexts.value.rows}
      scrollTo={linked === undefined ? undefined : `place ${linked}`}
      heightOf={(index) => heightOf(at(index), narrow)}
      keyOf={(index) => at(index)?.key ?? String(index)}
      row={(index) => {
        const row = at(index);
        return row === undefined ? null : <RowContent row={row} store={store} />;
      }}
      onRange={(first, last) => show(rows.slice(first, last + 1))}
    />
  );
}

/** Tells the store which places, and which devices without a place, are in view. */
function visiblePlaces(store: HouseStore): (rows: readonly Row[]) => void {
  return (rows) => {
    const open = rows.filter((row) => !(row.kind === 'place' && row.isCollapsed));
    const unplaced = open.flatMap((row) =>
      row.kind === 'device' && row.place.id === undefined ? [row.device] : [],
    );
    store.show([...new Set(open.map(({ place }) => place))], unplaced);
  };
}

function RowContent({ row, store }: { row: Row; store: HouseStore }) {
  switch (row.kind) {
    case 'place':
      return <PlaceHeader row={row} onToggle={() => toggle(row.place.id ?? '')} />;
    case 'room':
      return <h3 class="room-row">{row.room.name}</h3>;
    case 'device':
      return <DeviceRow device={row.device} />;
    case 'loading':
      return (
        <LoadingState lines={Math.min(Math.max(row.place.expected.devices, 1), maxSkeletonLines)} />
      );
    case 'empty':
      return <p class="muted">{houseTexts.value.emptyPlace}</p>;
    case 'failed':
      return <ErrorState error={row.error} onRetry={() => void store.retry(row.place)} />;
  }
}

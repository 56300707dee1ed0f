import { useState } from 'preact/hooks';
import { api } from '../../api/client.ts';
import { allPages, loader } from '../../api/load.ts';
import { ErrorState, LoadingState } from '../../parts/states.tsx';
import { SourceBox } from './source-box.tsx';
import { exploreTexts } from './texts.ts';
import type { registry } from '@engawa/client';
import type { ExploreStore } from './explore-store.ts';

interface PlaceContent {
  rooms: ReadonlyMap<string, string>;
  devices: registry.GetPlaceOutput['devices'];
}

const pageLimit = 1000;

interface PlaceBranchProps {
  store: ExploreStore;
  place: { id: string; name: string };
  isOpenAtFirst: boolean;
}

/** A place with its rooms and devices, which are loaded when it is opened. */
export function PlaceBranch({ store, place, isOpenAtFirst }: PlaceBranchProps) {
  const [loading] = useState(() => {
    const created = loader(() => loadPlace(place.id));
    if (isOpenAtFirst) void created.reload();
    return created;
  });
  return (
    <details
      class="place-branch"
      open={isOpenAtFirst}
      onToggle={(event) => {
        if (event.currentTarget.open && loading.state.peek().kind !== 'ready')
          void loading.reload();
      }}
    >
      <summary>{place.name}</summary>
      <Content store={store} place={place.id} loading={loading} />
    </details>
  );
}

async function loadPlace(id: string): Promise<PlaceContent> {
  const rooms = new Map<string, string>();
  const devices = await allPages(async (cursor) => {
    const { body } = await api.registry.getPlace({ id, limit: pageLimit, cursor });
    for (const room of body.rooms) rooms.set(room.id, room.name);
    return { body: { items: body.devices, cursor: body.cursor } };
  });
  return { rooms, devices };
}

interface ContentProps {
  store: ExploreStore;
  place: string;
  loading: ReturnType<typeof loader<PlaceContent>>;
}

function Content({ store, place, loading }: ContentProps) {
  const state = loading.state.value;
  if (state.kind === 'loading') return <LoadingState lines={2} />;
  if (state.kind === 'failed') {
    return <ErrorState error={state.error} onRetry={() => void loading.reload()} />;
  }
  const { rooms, devices } = state.data;
  const texts = exploreTexts.value;
  return (
    <div class="branch-content">
      <SourceBox store={store} source={{ kind: 'place', id: place }} name={texts.wholePlace} />
      {rooms.size > 0 && <h4>{texts.rooms}</h4>}
      <ul>
        {[...rooms].map(([room, name]) => (
          <li key={room}>
            <SourceBox store={store} source={{ kind: 'room', place, room }} name={name} />
          </li>
        ))}
      </ul>
      {devices.length > 0 && <h4>{texts.devices}</h4>}
      <ul>
        {devices.map(({ device, name, room }) => (
          <li key={device}>
            <SourceBox
              store={store}
              source={{ kind: 'device', id: device }}
              name={name}
              detail={room === undefined ? undefined : rooms.get(room)}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

import { useEffect, useState } from 'preact/hooks';
import { api } from '../../api/client.ts';
import { allPages, loader } from '../../api/load.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorState, LoadingState } from '../../parts/states.tsx';
import { PlaceBranch } from './place-branch.tsx';
import { SourceBox } from './source-box.tsx';
import { exploreTexts } from './texts.ts';
import type { registry } from '@engawa/client';
import type { ExploreStore } from './explore-store.ts';

type ListedPlace = registry.ListPlacesOutput['items'][number];
type ListedDevice = registry.ListDevicesOutput['items'][number];

/** Milliseconds after the last key until the registry is searched. */
const debounceMs = 150;
const listLimit = 1000;
const maxDevices = 20;
/** More places are found by their names. */
const maxPlaces = 50;
/** So few places are shown with their rooms at once. */
const openPlaces = 1;

/** Chooses devices, rooms and places; each choice is applied at once. */
export function SourcePicker({ store }: { store: ExploreStore }) {
  const texts = exploreTexts.value;
  const [text, setText] = useState('');
  const devices = useDevices(text);
  return (
    <Dialog title={texts.addTitle} onClose={() => store.closePicker()}>
      <div class="picker">
        <input
          class="input picker-search"
          type="search"
          aria-label={texts.search}
          placeholder={texts.searchPlaceholder}
          autofocus
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        {devices.length > 0 && (
          <section>
            <h3>{texts.devices}</h3>
            <ul>
              {devices.map(({ id, name, place }) => (
                <li key={id}>
                  <SourceBox
                    store={store}
                    source={{ kind: 'device', id }}
                    name={name}
                    detail={place}
                  />
                </li>
              ))}
            </ul>
          </section>
        )}
        <Places store={store} text={text} hasDevices={devices.length > 0} />
      </div>
      <div class="picker-end">
        <Button kind="primary" onClick={() => store.closePicker()}>
          {texts.done}
        </Button>
      </div>
    </Dialog>
  );
}

/** Devices whose names begin with a text. */
function useDevices(text: string): readonly ListedDevice[] {
  const [found, setFound] = useState<readonly ListedDevice[]>([]);
  useEffect(() => {
    const namePrefix = text.trim();
    const controller = new AbortController();
    const { signal } = controller;
    const timer = setTimeout(() => {
      if (namePrefix === '') setFound([]);
      else {
        api.registry.listDevices({ namePrefix, limit: maxDevices }, { signal }).then(
          ({ body }) => setFound(body.items),
          () => undefined, // the next key searches again
        );
      }
    }, debounceMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text]);
  return found;
}

interface PlacesProps {
  store: ExploreStore;
  text: string;
  hasDevices: boolean;
}

function Places({ store, text, hasDevices }: PlacesProps) {
  const [loading] = useState(() =>
    loader<ListedPlace[]>((signal) =>
      allPages((cursor) => api.registry.listPlaces({ limit: listLimit, cursor }, { signal })),
    ),
  );
  useEffect(() => void loading.reload(), [loading]);
  const state = loading.state.value;
  if (state.kind === 'loading') return <LoadingState lines={3} />;
  if (state.kind === 'failed') {
    return <ErrorState error={state.error} onRetry={() => void loading.reload()} />;
  }
  const wanted = text.trim().toLowerCase();
  const places = state.data.filter(({ id, name }) =>
    [id, name].some((one) => one.toLowerCase().includes(wanted)),
  );
  const { nothingFound, places: title } = exploreTexts.value;
  if (places.length === 0) return hasDevices ? null : <p class="muted">{nothingFound}</p>;
  return (
    <section>
      <h3>{title}</h3>
      {places.slice(0, maxPlaces).map((place) => (
        <PlaceBranch
          key={place.id}
          store={store}
          place={place}
          isOpenAtFirst={places.length <= openPlaces}
        />
      ))}
    </section>
  );
}

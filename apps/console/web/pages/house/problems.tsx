import { useSignal } from '@preact/signals';
import { Age } from '../../parts/age.tsx';
import { Button } from '../../parts/button.tsx';
import { describeError } from '../../parts/states.tsx';
import { formatInteger } from '../../i18n/format.ts';
import { houseTexts } from './texts.ts';
import type { ComponentChildren } from 'preact';
import type { ListedDevice } from './device-index.ts';
import type { HouseStore } from './house-store.ts';

/** Rows of a group before "show more". */
const shownAtFirst = 5;

/** Devices that need attention, above everything else; nothing where all is well. */
export function Problems({ store }: { store: HouseStore }) {
  const { problems, pending, pendingWhy, silent, silentWhy, neverHeard } = houseTexts.value;
  const { ahead, aheadWhy, aheadBy } = houseTexts.value;
  const [waiting, quiet, early] = [store.pending.value, store.silent.value, store.ahead.value];
  if (waiting.length + quiet.length + early.length === 0) return null;
  return (
    <section class="problems" aria-label={problems}>
      {waiting.length > 0 && (
        <Group title={pending(formatInteger(waiting.length))} why={pendingWhy} devices={waiting}>
          {(device) => <Approve device={device} store={store} />}
        </Group>
      )}
      {quiet.length > 0 && (
        <Group title={silent(formatInteger(quiet.length))} why={silentWhy} devices={quiet}>
          {({ lastSeenAt }) => (lastSeenAt === undefined ? neverHeard : <Age time={lastSeenAt} />)}
        </Group>
      )}
      {early.length > 0 && (
        <Group title={ahead(formatInteger(early.length))} why={aheadWhy} devices={early}>
          {({ clockAhead }) => aheadBy(formatInteger(Math.ceil((clockAhead?.seconds ?? 0) / 60)))}
        </Group>
      )}
    </section>
  );
}

interface GroupProps {
  title: string;
  why: string;
  devices: readonly ListedDevice[];
  children: (device: ListedDevice) => ComponentChildren;
}

function Group({ title, why, devices, children }: GroupProps) {
  const isWhole = useSignal(false);
  const hidden = devices.length - shownAtFirst;
  return (
    <div class="problem-group">
      <h2>{title}</h2>
      <p class="muted">{why}</p>
      <ul>
        {devices.slice(0, isWhole.value ? undefined : shownAtFirst).map((device) => (
          <li key={device.id}>
            <a href={`/explore?device=${encodeURIComponent(device.id)}`} title={device.id}>
              {device.name}
            </a>
            <span class="muted problem-place">
              {[device.place, device.room].filter(Boolean).join(' / ')}
            </span>
            {children(device)}
          </li>
        ))}
      </ul>
      {hidden > 0 && !isWhole.value && (
        <Button onClick={() => (isWhole.value = true)}>
          {houseTexts.value.showMore(formatInteger(hidden))}
        </Button>
      )}
    </div>
  );
}

function Approve({ device, store }: { device: ListedDevice; store: HouseStore }) {
  const state = useSignal<'idle' | 'sending' | { error: unknown }>('idle');
  const { approve, approveDevice, approveFailed } = houseTexts.value;
  const send = async (): Promise<void> => {
    state.value = 'sending';
    try {
      await store.approve(device.id);
      state.value = 'idle';
    } catch (error) {
      state.value = { error };
    }
  };
  return (
    <span class="approve">
      {typeof state.value === 'object' && (
        <span class="danger" role="alert" title={describeError(state.value.error).detail}>
          {approveFailed}
        </span>
      )}
      <Button
        kind="primary"
        disabled={state.value === 'sending'}
        label={approveDevice(device.name)}
        onClick={() => void send()}
      >
        {approve}
      </Button>
    </span>
  );
}

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { formatDateTime, formatInteger } from '../../i18n/format.ts';
import { Age } from '../../parts/age.tsx';
import { Button } from '../../parts/button.tsx';
import { ServiceText } from '../../parts/service-text.tsx';
import { translatedDetail } from './detail-text.tsx';
import { reasonText } from './reasons.ts';
import { deadLettersTexts } from './texts.ts';
import { openLetter, withLetter } from './letter-address.ts';
import type { LettersStore } from './letters-store.ts';
import type { DeviceGroup, ListedLetter, ReasonGroup } from './model.ts';

/** Shown at first; each click on "show more" adds the same number again, or more. */
const firstDevices = 10;
const firstLetters = 3;
const moreLetters = 50;

interface ReasonCardProps {
  group: ReasonGroup;
  store: LettersStore;
  /** Id of the dead letter in the detail. */
  opened: string | undefined;
}

/** All dead letters with one reason, by device. */
export function ReasonCard({ group, store, opened }: ReasonCardProps) {
  const limit = useSignal(firstDevices);
  const { name, advice } = reasonText(group.reason);
  const texts = deadLettersTexts.value;
  const ids = group.devices.flatMap(({ letters }) => letters.map(({ id }) => id));
  const hidden = group.devices.length - limit.value;
  return (
    <section class="reason-card" aria-label={name} data-reason={group.reason}>
      <header>
        <SelectBox store={store} ids={ids} label={texts.selectReason(name)} />
        <h2>
          {name} <span class="letter-count">{formatInteger(group.count)}</span>
        </h2>
        <p class="muted">{advice}</p>
      </header>
      <div role="list">
        {group.devices.slice(0, limit.value).map((device) => (
          <Device key={device.key} group={device} store={store} opened={opened} />
        ))}
      </div>
      {hidden > 0 && (
        <p class="more-row">
          <Button onClick={() => (limit.value += firstDevices * 2)}>
            {texts.showMore(formatInteger(hidden))}
          </Button>
        </p>
      )}
    </section>
  );
}

interface DeviceProps {
  group: DeviceGroup;
  store: LettersStore;
  opened: string | undefined;
}

function Device({ group: { device, letters }, store, opened }: DeviceProps) {
  const limit = useSignal(firstLetters);
  const texts = deadLettersTexts.value;
  // The open dead letter is always shown.
  const shown = letters.slice(0, Math.max(limit.value, indexOf(letters, opened) + 1));
  const hidden = letters.length - shown.length;
  const [only] = letters;
  if (only !== undefined && letters.length === 1) {
    return <Letter letter={only} device={device} store={store} isOpen={only.id === opened} />;
  }
  return (
    <div class="letter-device" role="listitem" aria-label={device}>
      <div class="letter-device-row">
        <SelectBox
          store={store}
          ids={letters.map(({ id }) => id)}
          label={texts.selectDevice(device)}
        />
        <h3 title={letters[0]?.topic}>{device}</h3>
        <span class="letter-count">{formatInteger(letters.length)}</span>
      </div>
      <div role="list">
        {shown.map((letter) => (
          <Letter key={letter.id} letter={letter} store={store} isOpen={letter.id === opened} />
        ))}
      </div>
      {hidden > 0 && (
        <p class="more-row">
          <Button onClick={() => (limit.value += moreLetters)}>
            {texts.showMore(formatInteger(hidden))}
          </Button>
        </p>
      )}
    </div>
  );
}

function indexOf(letters: readonly ListedLetter[], id: string | undefined): number {
  return letters.findIndex((letter) => letter.id === id);
}

interface LetterProps {
  letter: ListedLetter;
  /** Where it is the only one of its device, whose name has no row then. */
  device?: string;
  store: LettersStore;
  isOpen: boolean;
}

function Letter({ letter, device, store, isOpen }: LetterProps) {
  const { id, topic, receivedAt } = letter;
  // Without all parts, the reason can no longer be fixed.
  const why = letter.incomplete ?? letter;
  const translated = translatedDetail(why);
  const time = formatDateTime(new Date(receivedAt));
  const isSingle = device !== undefined;
  const classes = ['letter-row', isSingle && 'letter-row-single', isOpen && 'letter-row-open'];
  return (
    <div role="listitem" class={classes.filter(Boolean).join(' ')} data-letter={id}>
      <SelectBox store={store} ids={[id]} label={deadLettersTexts.value.selectLetter(time)} />
      {isSingle && (
        <span class="letter-device-name" title={topic}>
          {device}
        </span>
      )}
      <a
        href={withLetter(id)}
        aria-current={isOpen ? 'true' : undefined}
        title={translated ?? why.detail}
        onClick={(event) => openLetter(event, id)}
      >
        <ServiceText text={why.detail} translated={translated} />
      </a>
      <Age time={receivedAt} />
    </div>
  );
}

interface SelectBoxProps {
  store: LettersStore;
  ids: readonly string[];
  label: string;
}

/** A checkbox for one or many dead letters; indeterminate where some of them are selected. */
function SelectBox({ store, ids, label }: SelectBoxProps) {
  const element = useRef<HTMLInputElement>(null);
  const selected = store.selected.value;
  const count = ids.filter((id) => selected.has(id)).length;
  const isAll = count === ids.length;
  const isSome = count > 0 && !isAll;
  useEffect(() => {
    if (element.current !== null) element.current.indeterminate = isSome;
  }, [isSome]);
  return (
    <label class="select-box">
      <input
        ref={element}
        type="checkbox"
        aria-label={label}
        checked={isAll}
        onChange={() => store.select(ids, !isAll)}
      />
    </label>
  );
}

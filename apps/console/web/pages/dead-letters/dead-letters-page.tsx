import { useEffect, useMemo, useState } from 'preact/hooks';
import { formatInteger } from '../../i18n/format.ts';
import { language } from '../../i18n/language.ts';
import { shared } from '../../i18n/shared.ts';
import { Button } from '../../parts/button.tsx';
import { PageFrame } from '../../parts/page-frame.tsx';
import { EmptyState, ErrorState, LoadingState } from '../../parts/states.tsx';
import { currentQuery, setQuery } from '../../router/router.ts';
import { BulkBar } from './bulk-bar.tsx';
import { DiscardDialog, discardRequest } from './discard-dialog.tsx';
import { translatedDetail } from './detail-text.tsx';
import { LetterDetail } from './letter-detail.tsx';
import { LettersStore } from './letters-store.ts';
import { deviceOfTopic, filterLetters, groupLetters } from './model.ts';
import { ReasonCard } from './reason-card.tsx';
import { deadLettersTexts } from './texts.ts';
import { usePageKeys } from './page-keys.ts';
import type { ListedLetter } from './model.ts';
import './dead-letters.css';

/** Dead letters expire after 14 days. */
const periods = ['2', '7', '14'] as const;
const longestPeriod = '14';

/** Rejected messages by reason and device: read one, replay or discard one or many. */
export function DeadLettersPage() {
  const [store] = useState(() => new LettersStore());
  const given = currentQuery.value.get('days');
  const days = periods.find((period) => period === given) ?? periods[0];
  useEffect(() => void store.load(Number(days)), [store, days]);
  useEffect(() => () => store.close(), [store]);
  const reload = (): void => void store.load(Number(days));
  return (
    <PageFrame title={shared.value.pages.deadLetters} tools={<Tools days={days} reload={reload} />}>
      <BulkBar store={store} />
      <Content store={store} days={days} reload={reload} />
      {discardRequest.value !== undefined && <DiscardDialog store={store} />}
    </PageFrame>
  );
}

function Tools({ days, reload }: { days: (typeof periods)[number]; reload: () => void }) {
  const texts = deadLettersTexts.value;
  return (
    <>
      <select
        class="select"
        aria-label={texts.period}
        value={days}
        onChange={({ currentTarget }) => setQuery({ days: currentTarget.value })}
      >
        {periods.map((period) => (
          <option key={period} value={period}>
            {texts.days[period]}
          </option>
        ))}
      </select>
      <Button onClick={reload}>{texts.reload}</Button>
    </>
  );
}

interface ContentProps {
  store: LettersStore;
  days: string;
  reload: () => void;
}

function Content({ store, days, reload }: ContentProps) {
  const query = currentQuery.value;
  const text = query.get('text') ?? '';
  const opened = query.get('letter') ?? undefined;
  const letters = store.letters.value;
  const shown = useMemo(
    () => filterLetters(letters, text, translatedDetail),
    [letters, text, language.value],
  );
  const groups = useMemo(() => groupLetters(shown), [shown]);
  const order = groups.flatMap(({ devices }) => devices.flatMap((device) => device.letters));
  usePageKeys({ store, order, opened, reload });
  const loading = store.loading.value;
  const isReady = loading.kind === 'ready';
  return (
    <div class={`letters${opened === undefined ? '' : ' letters-open'}`}>
      <div class="letters-list">
        {loading.kind === 'failed' && <ErrorState error={loading.error} onRetry={reload} />}
        {isReady && letters.length === 0 ? (
          <NoLetters days={days} />
        ) : (
          <Toolbar store={store} shown={shown} text={text} />
        )}
        {isReady && loading.isCut && (
          <p class="notice letters-notice">
            {deadLettersTexts.value.isCut(formatInteger(letters.length))}
          </p>
        )}
        {isReady && letters.length > 0 && shown.length === 0 && <NoMatch />}
        {groups.map((group) => (
          <ReasonCard key={group.reason} group={group} store={store} opened={opened} />
        ))}
        {loading.kind === 'loading' && letters.length === 0 && <LoadingState />}
      </div>
      {opened !== undefined && <LetterDetail key={opened} id={opened} store={store} />}
    </div>
  );
}

interface ToolbarProps {
  store: LettersStore;
  shown: readonly ListedLetter[];
  text: string;
}

/** How many there are, and the filter. */
function Toolbar({ store, shown, text }: ToolbarProps) {
  const texts = deadLettersTexts.value;
  const loading = store.loading.value;
  const devices = new Set(shown.map(({ topic }) => deviceOfTopic(topic))).size;
  const isReading = loading.kind === 'loading';
  return (
    <div class="letters-toolbar">
      <input
        class="input"
        type="search"
        placeholder={texts.filter}
        aria-label={texts.filter}
        value={text}
        onInput={({ currentTarget: { value } }) => {
          store.selected.value = new Set(); // nothing is discarded that the list does not show
          setQuery({ text: value === '' ? undefined : value });
        }}
      />
      <p class="muted" role="status">
        {texts.counts(formatInteger(shown.length), formatInteger(devices))}
        {isReading &&
          ` · ${texts.reading(formatInteger(loading.daysRead + 1), formatInteger(loading.days))}`}
      </p>
    </div>
  );
}

function NoLetters({ days }: { days: string }) {
  const { none, noneIn, noneAtAll, showAll } = deadLettersTexts.value;
  const isAll = days === longestPeriod;
  return (
    <EmptyState title={none}>
      <p>{isAll ? noneAtAll : noneIn}</p>
      {!isAll && <Button onClick={() => setQuery({ days: longestPeriod })}>{showAll}</Button>}
    </EmptyState>
  );
}

function NoMatch() {
  const { noMatch, clearFilter } = deadLettersTexts.value;
  return (
    <EmptyState title={noMatch}>
      <Button onClick={() => setQuery({ text: undefined })}>{clearFilter}</Button>
    </EmptyState>
  );
}

import { useEffect, useState } from 'preact/hooks';
import { ProblemError } from '@engawa/client';
import { api } from '../../api/client.ts';
import { loader } from '../../api/load.ts';
import { formatDateTime, formatInteger } from '../../i18n/format.ts';
import { Age } from '../../parts/age.tsx';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { EmptyState, ErrorState, LoadingState } from '../../parts/states.tsx';
import { navigate } from '../../router/router.ts';
import { DetailText } from './detail-text.tsx';
import { discardRequest } from './discard-dialog.tsx';
import { withLetter } from './letter-address.ts';
import { PayloadView } from './payload-view.tsx';
import { PreviewView } from './preview-view.tsx';
import { reasonText } from './reasons.ts';
import { deadLettersTexts } from './texts.ts';
import type { ComponentChildren } from 'preact';
import type { Detailed } from './detail-text.tsx';
import type { LettersStore } from './letters-store.ts';
import type { WholeLetter } from './model.ts';
import './letter-detail.css';

interface LetterDetailProps {
  id: string;
  store: LettersStore;
}

/** One dead letter: why it was rejected, what it would become now, and its payload. */
export function LetterDetail({ id, store }: LetterDetailProps) {
  const [letter] = useState(() =>
    loader(async (signal) => (await api.ingestion.getDeadLetter({ id }, { signal })).body),
  );
  const [preview] = useState(() =>
    loader(async (signal) => (await api.ingestion.previewDeadLetter({ id }, { signal })).body),
  );
  // After a replay that was refused again, the service has another reason.
  const listed = store.letters.value.find((one) => one.id === id);
  const job = store.job.value?.progress.value.state;
  useEffect(() => void letter.reload(), [letter, listed?.detail]);
  useEffect(() => void preview.reload(), [preview, listed?.detail, job === 'running']);
  const state = letter.state.value;
  const isGone =
    store.ended.value.has(id) ||
    (state.kind === 'failed' &&
      state.error instanceof ProblemError &&
      state.error.type === 'dead-letter-not-found');
  return (
    <Frame>
      {isGone ? (
        <EmptyState title={deadLettersTexts.value.gone} />
      ) : state.kind === 'loading' ? (
        <LoadingState lines={4} />
      ) : state.kind === 'failed' ? (
        <ErrorState error={state.error} onRetry={() => void letter.reload()} />
      ) : (
        <>
          <Head letter={state.data} />
          <Actions id={id} store={store} />
          <PreviewView state={preview.state.value} onRetry={() => void preview.reload()} />
          <PayloadView letter={state.data} preview={preview.state.value} />
        </>
      )}
    </Frame>
  );
}

/** A region beside the list; on a phone in its place. */
function Frame({ children }: { children: ComponentChildren }) {
  const { letter, back, close } = deadLettersTexts.value;
  const leave = (): void => navigate(withLetter(undefined));
  return (
    <section class="letter-detail" aria-label={letter}>
      <header class="letter-detail-header">
        <span class="letter-back">
          <Button onClick={leave}>{back}</Button>
        </span>
        <button
          class="button icon-button letter-close"
          type="button"
          aria-label={close}
          onClick={leave}
        >
          <Icon name="close" />
        </button>
      </header>
      {children}
    </section>
  );
}

function Head({ letter }: { letter: WholeLetter }) {
  const { id, reason, topic, receivedAt, bytes, indexes, leftOut, incomplete, properties } = letter;
  const texts = deadLettersTexts.value;
  return (
    <>
      <h2>{reasonText(reason).name}</h2>
      <p class="letter-why">
        <DetailText letter={letter} />
      </p>
      <dl class="letter-facts">
        <dt>{texts.topic}</dt>
        <dd>
          <code>{topic}</code>
        </dd>
        <dt>{texts.received}</dt>
        <dd>
          {formatDateTime(new Date(receivedAt))} <Age time={receivedAt} />
        </dd>
        <dt>{texts.size}</dt>
        <dd>
          {texts.bytes(formatInteger(bytes))}
          {incomplete !== undefined && (
            <>
              {': '}
              <DetailText letter={incomplete} />
            </>
          )}
        </dd>
        {indexes !== undefined && (
          <>
            <dt>{texts.rejectedReadings}</dt>
            <dd>{texts.indexes(shortList(indexes))}</dd>
          </>
        )}
        {leftOut !== undefined && <LeftOutValues values={leftOut} />}
        <UserProperties properties={properties} />
        <dt>{texts.id}</dt>
        <dd>
          <code>{id}</code>
        </dd>
      </dl>
    </>
  );
}

/** Values that are not stored, of readings whose other values are stored. */
function LeftOutValues({ values }: { values: readonly Detailed[] }) {
  return (
    <>
      <dt>{deadLettersTexts.value.leftOut}</dt>
      {values.map((value, at) => (
        <dd key={at}>
          <DetailText letter={value} />
        </dd>
      ))}
    </>
  );
}

function UserProperties({ properties }: Pick<WholeLetter, 'properties'>) {
  const names = Object.entries(properties);
  if (names.length === 0) return null;
  return (
    <>
      <dt>{deadLettersTexts.value.properties}</dt>
      <dd>
        {names.map(([name, value]) => (
          <code key={name}>
            {name}={String(value)}
          </code>
        ))}
      </dd>
    </>
  );
}

/** The first numbers of a list that may have a thousand. */
function shortList(indexes: readonly number[]): string {
  const first = indexes.slice(0, 20).map(formatInteger).join(', ');
  return indexes.length > 20 ? `${first} …` : first;
}

function Actions({ id, store }: LetterDetailProps) {
  const { replay, discard } = deadLettersTexts.value;
  const isRunning = store.job.value?.progress.value.state === 'running';
  return (
    <div class="letter-actions">
      <Button kind="primary" disabled={isRunning} onClick={() => void store.run('replay', [id])}>
        {replay}
      </Button>
      <Button kind="danger" disabled={isRunning} onClick={() => (discardRequest.value = [id])}>
        {discard}
      </Button>
    </div>
  );
}

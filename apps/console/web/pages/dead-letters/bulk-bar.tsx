import { formatInteger } from '../../i18n/format.ts';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { describeError } from '../../parts/states.tsx';
import { discardRequest } from './discard-dialog.tsx';
import { DetailText } from './detail-text.tsx';
import { reasonText } from './reasons.ts';
import { deadLettersTexts } from './texts.ts';
import type { LetterJob, JobProgress } from './letter-job.ts';
import type { LettersStore } from './letters-store.ts';
import './bulk-bar.css';

/** Actions on the selected dead letters, and the progress and outcome of the last action. */
export function BulkBar({ store }: { store: LettersStore }) {
  const texts = deadLettersTexts.value;
  const job = store.job.value;
  const selected = store.selected.value;
  const isRunning = job?.progress.value.state === 'running';
  if (job !== undefined && isRunning) return <Running job={job} />;
  return (
    <>
      {job !== undefined && <Outcome job={job} onClose={() => (store.job.value = undefined)} />}
      {selected.size > 0 && (
        <div class="bulk-bar">
          <strong role="status">{texts.selected(formatInteger(selected.size))}</strong>
          <span class="bulk-actions">
            <Button kind="primary" onClick={() => void store.run('replay', [...selected])}>
              {texts.replay}
            </Button>
            <Button kind="danger" onClick={() => (discardRequest.value = [...selected])}>
              {texts.discard}
            </Button>
          </span>
        </div>
      )}
    </>
  );
}

function Running({ job }: { job: LetterJob }) {
  const { replaying, discarding, stop } = deadLettersTexts.value;
  const { done } = job.progress.value;
  const counts = [formatInteger(done), formatInteger(job.total)] as const;
  const label = job.kind === 'replay' ? replaying(...counts) : discarding(...counts);
  return (
    <div class="bulk-bar">
      <strong role="status">{label}</strong>
      <progress aria-label={label} value={done} max={job.total} />
      <Button onClick={() => job.stop()}>{stop}</Button>
    </div>
  );
}

/** What a job did; what remains is listed by reason. */
function Outcome({ job, onClose }: { job: LetterJob; onClose: () => void }) {
  const texts = deadLettersTexts.value;
  const progress = job.progress.value;
  const { state, stayed } = progress;
  const byReason = Map.groupBy(stayed, ({ reason }) => reason);
  const isBad = state === 'failed' || stayed.length > 0;
  return (
    <div
      class={`notice bulk-outcome ${isBad ? 'bulk-outcome-bad' : 'bulk-outcome-good'}`}
      role="status"
    >
      <div class="bulk-outcome-head">
        <strong>{outcomeParts(job, progress).join(' · ')}</strong>
        <button class="button icon-button" type="button" aria-label={texts.close} onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      {state === 'failed' && <Failure error={progress.error} />}
      {byReason.size > 0 && (
        <ul>
          {[...byReason].map(([reason, some]) => (
            <li key={reason}>
              {reasonText(reason).name} ({formatInteger(some.length)}):{' '}
              {some[0] !== undefined && <DetailText letter={some[0]} />}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Failure({ error }: { error: unknown }) {
  const { title, detail } = describeError(error);
  return (
    <p>
      {title} {detail !== undefined && <span lang="en">{detail}</span>}
    </p>
  );
}

function outcomeParts(job: LetterJob, progress: JobProgress): string[] {
  const texts = deadLettersTexts.value;
  const { state, ended, readings, missing, stayed } = progress;
  const count = formatInteger(ended);
  const isReplay = job.kind === 'replay';
  return [
    ...(state === 'failed' ? [texts.failed] : state === 'stopped' ? [texts.stopped] : []),
    isReplay ? texts.replayed(count, formatInteger(readings)) : texts.discarded(count),
    ...(stayed.length > 0 ? [texts.stayed(formatInteger(stayed.length))] : []),
    ...(missing > 0 ? [texts.missing(formatInteger(missing))] : []),
  ];
}

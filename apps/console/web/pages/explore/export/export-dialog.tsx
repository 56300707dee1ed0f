import { useEffect, useRef, useState } from 'preact/hooks';
import { formatInteger } from '../../../i18n/format.ts';
import { Button } from '../../../parts/button.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { describeError } from '../../../parts/states.tsx';
import { shortTime } from '../../../charts/time-labels.ts';
import { language } from '../../../i18n/language.ts';
import { exploreTexts } from '../texts.ts';
import { startExport } from './start-export.ts';
import type { ExploreRequest } from '../explore-requests.ts';
import type { ExportProgress, FileType } from './merged-export.ts';
import type { ExportForm, ExportRun } from './start-export.ts';

interface ExportDialogProps {
  type: FileType;
  requests: readonly ExploreRequest[];
  /** The name of the source of each request. */
  names: readonly string[];
  zone: string;
  onClose: () => void;
}

type ExportState =
  | { kind: 'choosing' }
  | { kind: 'running' }
  | { kind: 'failed'; error: unknown }
  | { kind: 'saved' };

/** Saves the data of several sources: in one file, or in a file each. */
export function ExportDialog({ type, requests, names, zone, onClose }: ExportDialogProps) {
  const texts = exploreTexts.value.export;
  const [form, setForm] = useState<ExportForm>('one');
  const { state, progress, start } = useExport(type, requests);
  const isRunning = state.kind === 'running';
  const count = formatInteger(requests.length);
  return (
    <Dialog title={exploreTexts.value.download(type)} onClose={onClose}>
      <div class="segments" role="group" aria-label={texts.files}>
        {(['one', 'each'] as const).map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === form}
            disabled={isRunning}
            onClick={() => setForm(one)}
          >
            {texts.forms[one](count)}
          </button>
        ))}
      </div>
      <p class="muted">{texts.help[form](type)}</p>
      <p role="status">
        {state.kind === 'running' && texts.running(...progressParts(progress, names))}
        {state.kind === 'saved' && texts.saved(formatInteger(progress.rows))}
      </p>
      {state.kind === 'failed' && (
        <div class="export-failure" role="alert">
          <p class="explore-failure">{describeError(state.error).title}</p>
          <p>{failureText(form, { progress, names, zone })}</p>
        </div>
      )}
      <div class="picker-end export-end">
        {state.kind === 'failed' && (
          <Button onClick={() => start(form, { isNew: true })}>{texts.again}</Button>
        )}
        {isRunning || state.kind === 'saved' ? (
          <Button onClick={onClose}>{isRunning ? texts.cancel : exploreTexts.value.done}</Button>
        ) : (
          <Button kind="primary" onClick={() => start(form, { isNew: state.kind !== 'failed' })}>
            {state.kind === 'failed' ? texts.continue : texts.start}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

/** Runs an export; closing the dialog ends it. */
function useExport(type: FileType, requests: readonly ExploreRequest[]) {
  const [state, setState] = useState<ExportState>({ kind: 'choosing' });
  const [progress, setProgress] = useState<ExportProgress>(nothing);
  const run = useRef<{ form: ExportForm; run: ExportRun } | undefined>(undefined);
  const controller = useRef(new AbortController());
  // Charts may load again behind the dialog: the export keeps the requests of its beginning.
  const [chosen] = useState(requests);
  useEffect(() => () => controller.current.abort(), []);
  const start = (form: ExportForm, { isNew }: { isNew: boolean }): void => {
    if (isNew || run.current?.form !== form) {
      setProgress(nothing);
      const options = { type, requests: chosen, onProgress: setProgress };
      run.current = { form, run: startExport(form, options) };
    }
    setState({ kind: 'running' });
    const { signal } = controller.current;
    run.current.run(signal).then(
      () => setState({ kind: 'saved' }),
      (error: unknown) => {
        if (!signal.aborted) setState({ kind: 'failed', error });
      },
    );
  };
  return { state, progress, start };
}

const nothing: ExportProgress = { done: 0, rows: 0, reached: undefined };

function progressParts({ done, rows }: ExportProgress, names: readonly string[]) {
  const current = Math.min(done, names.length - 1);
  return [
    names[current] ?? '',
    formatInteger(current + 1),
    formatInteger(names.length),
    formatInteger(rows),
  ] as const;
}

function failureText(
  form: ExportForm,
  given: { progress: ExportProgress; names: readonly string[]; zone: string },
): string {
  const { progress, names, zone } = given;
  const texts = exploreTexts.value.export;
  const [name, position, all, rows] = progressParts(progress, names);
  if (form === 'each') return texts.failedEach(name, formatInteger(progress.done), all);
  const { reached } = progress;
  const time = reached === undefined ? '' : shortTime(Date.parse(reached), language.value, zone);
  return `${texts.failedOne(name, position, all, rows)} ${time === '' ? '' : texts.reached(time)} ${texts.notSaved}`;
}

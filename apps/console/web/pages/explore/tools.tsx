import { useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { describeError } from '../../parts/states.tsx';
import { download } from './download.ts';
import { ExportDialog } from './export/export-dialog.tsx';
import { sourceKey } from './explore-state.ts';
import { exactRequests } from './load-charts.ts';
import { ShareDialog } from './share-dialog.tsx';
import { exploreTexts } from './texts.ts';
import type { ExploreStore } from './explore-store.ts';
import type { ExploreRequest } from './explore-requests.ts';
import type { FileType } from './export/merged-export.ts';

/** Downloads of the charts' data, their link and their requests. */
export function ExploreTools({ store }: { store: ExploreStore }) {
  const texts = exploreTexts.value;
  const [isSharing, setSharing] = useState(false);
  const [running, setRunning] = useState<FileType | undefined>(undefined);
  const [failure, setFailure] = useState<unknown>(undefined);
  const { value: loaded } = store.loaded;
  const requests = loaded.kind === 'ready' ? exactRequests(loaded.data) : [];
  const [exported, setExported] = useState<FileType | undefined>(undefined);
  const save = async (request: ExploreRequest, type: FileType): Promise<void> => {
    setRunning(type);
    setFailure(undefined);
    await download(request, type).catch(setFailure);
    setRunning(undefined);
  };
  /** The file of one request is saved at once; for several, the user chooses between one file and several. */
  const start = (type: FileType): void => {
    const [first, second] = requests;
    if (second !== undefined) setExported(type);
    else if (first !== undefined) void save(first, type);
  };
  return (
    <>
      {failure !== undefined && (
        <span class="explore-failure" role="alert">
          {describeError(failure).title}
        </span>
      )}
      {(['CSV', 'NDJSON'] as const).map((type) => (
        <Button
          key={type}
          label={texts.download(type)}
          disabled={requests.length === 0 || running !== undefined}
          onClick={() => start(type)}
        >
          {type}
        </Button>
      ))}
      <Button onClick={() => setSharing(true)}>{texts.share}</Button>
      {exported !== undefined && (
        <ExportDialog
          type={exported}
          requests={requests}
          names={namesOf(requests, store)}
          zone={store.state.value.zone}
          onClose={() => setExported(undefined)}
        />
      )}
      {isSharing && <ShareDialog requests={requests} onClose={() => setSharing(false)} />}
    </>
  );
}

function namesOf(requests: readonly ExploreRequest[], { loaded }: ExploreStore): string[] {
  const known = loaded.value.kind === 'ready' ? loaded.value.data.known.names : undefined;
  return requests.map(({ source }) => known?.get(sourceKey(source)) ?? sourceKey(source));
}

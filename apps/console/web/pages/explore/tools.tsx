import { useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { describeError } from '../../parts/states.tsx';
import { download } from './download.ts';
import { exactRequests } from './load-charts.ts';
import { ShareDialog } from './share-dialog.tsx';
import { exploreTexts } from './texts.ts';
import type { ExploreStore } from './explore-store.ts';
import type { FileType } from './download.ts';

/** Downloads of the charts' data, their link and their requests. */
export function ExploreTools({ store }: { store: ExploreStore }) {
  const texts = exploreTexts.value;
  const [isSharing, setSharing] = useState(false);
  const [running, setRunning] = useState<FileType | undefined>(undefined);
  const [failure, setFailure] = useState<unknown>(undefined);
  const { value: loaded } = store.loaded;
  const requests = loaded.kind === 'ready' ? exactRequests(loaded.data) : [];
  const save = async (type: FileType): Promise<void> => {
    setRunning(type);
    setFailure(undefined);
    try {
      for (const request of requests) await download(request, type);
    } catch (error) {
      setFailure(error);
    }
    setRunning(undefined);
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
          onClick={() => void save(type)}
        >
          {type}
        </Button>
      ))}
      <Button onClick={() => setSharing(true)}>{texts.share}</Button>
      {isSharing && <ShareDialog requests={requests} onClose={() => setSharing(false)} />}
    </>
  );
}

import { signal } from '@preact/signals';
import { formatInteger } from '../../i18n/format.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { deadLettersTexts } from './texts.ts';
import type { LettersStore } from './letters-store.ts';

/** Ids of dead letters for which the user has to confirm that they are discarded. */
export const discardRequest = signal<readonly string[] | undefined>(undefined);

/** Asks before anything is deleted. */
export function DiscardDialog({ store }: { store: LettersStore }) {
  const { confirmTitle, confirmText, confirmDiscard, cancel } = deadLettersTexts.value;
  const ids = discardRequest.value ?? [];
  const count = formatInteger(ids.length);
  const close = (): void => {
    discardRequest.value = undefined;
  };
  const discard = (): void => {
    close();
    void store.run('discard', ids);
  };
  return (
    <Dialog title={confirmTitle} onClose={close}>
      <p>{confirmText(count)}</p>
      <div class="dialog-actions">
        <Button onClick={close}>{cancel}</Button>
        <Button kind="danger" onClick={discard}>
          {confirmDiscard(count)}
        </Button>
      </div>
    </Dialog>
  );
}

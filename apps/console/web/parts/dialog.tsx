import { useLayoutEffect, useRef } from 'preact/hooks';
import { shared } from '../i18n/shared.ts';
import { Icon } from './icon.tsx';
import type { ComponentChildren } from 'preact';

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}

/** A modal dialog: the browser keeps the focus inside, and Escape closes it. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const isClosed = useRef(false);
  // Before the dialog is drawn: a key pressed at once is for the dialog.
  useLayoutEffect(() => element.current?.showModal(), []);
  // At once: the event `close` comes later, and keys that are pressed until then would be lost.
  const close = (): void => {
    if (isClosed.current) return;
    isClosed.current = true;
    element.current?.close();
    onClose();
  };
  return (
    <dialog
      ref={element}
      class="dialog"
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClose={close}
      onClick={(event) => {
        // A click beside the content hits the dialog element itself: its backdrop.
        if (event.target === element.current) close();
      }}
    >
      <div class="dialog-content">
        <header>
          <h2>{title}</h2>
          <button
            class="button icon-button"
            type="button"
            aria-label={shared.value.keys.close}
            onClick={close}
          >
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}

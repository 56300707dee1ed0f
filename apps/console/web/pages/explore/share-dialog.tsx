import { useState } from 'preact/hooks';
import { session } from '../../api/session.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { codeLanguages, codeOf } from './request-code.ts';
import { exploreTexts } from './texts.ts';
import type { ExploreRequest } from './explore-requests.ts';
import type { CodeLanguage } from './request-code.ts';

interface ShareDialogProps {
  requests: readonly ExploreRequest[];
  onClose: () => void;
}

/** The address of the page, and its requests as code. */
export function ShareDialog({ requests, onClose }: ShareDialogProps) {
  const texts = exploreTexts.value;
  const [language, setLanguage] = useState<CodeLanguage>('curl');
  const { value: state } = session;
  const needsToken = 'info' in state && state.info.mode === 'jwt';
  const address = { url: `${location.origin}/api`, needsToken };
  return (
    <Dialog title={texts.shareTitle} onClose={onClose}>
      <div class="share-link">
        <label for="share-link">{texts.link}</label>
        <input
          id="share-link"
          class="input"
          readOnly
          value={location.href}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton text={location.href} />
      </div>
      <h3>{requests.length > 1 ? texts.requests(String(requests.length)) : texts.request}</h3>
      {requests.length === 0 && <p class="muted">{texts.noRequest}</p>}
      {requests.length > 0 && (
        <div class="segments" role="group" aria-label={texts.code}>
          {codeLanguages.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={one === language}
              onClick={() => setLanguage(one)}
            >
              {one}
            </button>
          ))}
        </div>
      )}
      {needsToken && requests.length > 0 && <p class="muted">{texts.tokenHelp}</p>}
      {requests.map((request, index) => (
        <Code key={index} text={codeOf(language, request, address)} />
      ))}
    </Dialog>
  );
}

function Code({ text }: { text: string }) {
  return (
    <div class="share-code">
      <pre tabIndex={0}>{text}</pre>
      <CopyButton text={text} />
    </div>
  );
}

/** Browsers have a clipboard on HTTPS and on this machine only; elsewhere the text can be selected. */
function CopyButton({ text }: { text: string }) {
  const [copied, setCopied] = useState<string | undefined>(undefined);
  const { copy, copied: done } = exploreTexts.value;
  const clipboard = (navigator as { clipboard?: Clipboard }).clipboard;
  if (clipboard === undefined) return null;
  return (
    <Button
      onClick={() =>
        void clipboard.writeText(text).then(
          () => setCopied(text),
          () => undefined,
        )
      }
    >
      {copied === text ? done : copy}
    </Button>
  );
}

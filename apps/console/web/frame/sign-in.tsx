import { useEffect, useRef, useState } from 'preact/hooks';
import { pasteToken, signIn, signInAgain, signOut } from '../api/session.ts';
import { shared } from '../i18n/shared.ts';
import { Button } from '../parts/button.tsx';
import type { SignOutReason } from '../api/session.ts';
import type { SessionInfo } from '../api/session-info.ts';

interface SignInProps {
  info: SessionInfo;
  /** Why the user has to sign in again. */
  reason?: SignOutReason | undefined;
  /** What the issuer said about it. */
  message?: string | undefined;
  /** Whether a page is shown that must not be left. */
  isAgain?: boolean;
}

/** Signs in again while the page below stays as it is, with its entries. */
export function SignInDialog({ info, reason, message }: SignInProps) {
  const element = useRef<HTMLDialogElement>(null);
  const show = (): void => {
    if (element.current?.open === false) element.current.showModal();
  };
  useEffect(show, []);
  return (
    <dialog
      ref={element}
      class="dialog"
      aria-label={shared.value.signIn.title}
      onCancel={(event) => event.preventDefault()}
      // A browser closes it at the second Escape all the same.
      onClose={show}
      // The keys of the page below are off.
      onKeyDown={(event) => event.stopPropagation()}
    >
      <div class="dialog-content">
        <SignIn info={info} reason={reason} message={message} isAgain />
      </div>
    </dialog>
  );
}

/** Signs in with the issuer, or with a pasted token. */
export function SignIn({ info, reason, message = '', isAgain = false }: SignInProps) {
  const texts = shared.value.signIn;
  const [token, setToken] = useState('');
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (token.trim() !== '') pasteToken(token, info);
  };
  return (
    <div class="sign-in">
      <h1>{texts.title}</h1>
      <p>{isAgain ? texts.whyAgain : texts.why}</p>
      {reason !== undefined && (
        <p class="notice notice-danger" role="alert">
          {texts[reason]} {message !== '' && <span lang="en">{message}</span>}
        </p>
      )}
      {info.issuerProblem !== undefined && (
        <p class="notice notice-danger" role="alert">
          {texts.issuerAway} <span lang="en">{info.issuerProblem}</span>
        </p>
      )}
      {info.authorizationUrl !== undefined && (
        <Button kind="primary" onClick={() => void (isAgain ? signInAgain : signIn)(info)}>
          {texts.button}
        </Button>
      )}
      <form onSubmit={submit}>
        <label>
          {texts.paste}
          <input
            class="input"
            type="password"
            autocomplete="off"
            spellcheck={false}
            value={token}
            onInput={(event) => setToken(event.currentTarget.value)}
          />
        </label>
        <p class="muted">{texts.pasteHelp}</p>
        <Button type="submit">{texts.use}</Button>
      </form>
      {isAgain && <Button onClick={signOut}>{texts.signOut}</Button>}
    </div>
  );
}

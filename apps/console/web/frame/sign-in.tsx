import { useState } from 'preact/hooks';
import { pasteToken, signIn } from '../api/session.ts';
import { shared } from '../i18n/shared.ts';
import { Button } from '../parts/button.tsx';
import type { SessionInfo, SignOutReason } from '../api/session.ts';

interface SignInProps {
  info: SessionInfo;
  /** Why the user has to sign in again. */
  reason?: SignOutReason | undefined;
}

/** Signs in with the issuer, or with a pasted token. */
export function SignIn({ info, reason }: SignInProps) {
  const texts = shared.value.signIn;
  const [token, setToken] = useState('');
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (token.trim() !== '') pasteToken(token, info);
  };
  return (
    <div class="sign-in">
      <h1>{texts.title}</h1>
      <p>{texts.why}</p>
      {reason !== undefined && (
        <p class="notice notice-danger" role="alert">
          {texts[reason]}
        </p>
      )}
      {info.authorizationUrl !== undefined && (
        <Button kind="primary" onClick={() => void signIn(info)}>
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
    </div>
  );
}

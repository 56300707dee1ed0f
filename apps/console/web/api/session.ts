import { signal } from '@preact/signals';
import { navigate } from '../router/router.ts';
import { beginSignIn, finishSignIn, refresh } from './sign-in.ts';
import type { Tokens } from './sign-in.ts';

/** How the services authenticate callers, as the server of the console says. */
export interface SessionInfo {
  mode: 'none' | 'jwt';
  /** Present where the console may sign in with the issuer. */
  clientId?: string;
  scopes?: string;
  authorizationUrl?: string;
}

export type SessionState =
  | { kind: 'loading' }
  | { kind: 'unreachable' }
  | { kind: 'signed-out'; info: SessionInfo; failed: boolean }
  | { kind: 'ready'; info: SessionInfo };

export const session = signal<SessionState>({ kind: 'loading' });

/** In memory only: a token in storage could be read by any script of this origin, also later. */
let tokens: Tokens | undefined;

/** Milliseconds before its expiry at which a token is renewed. */
const renewBeforeMs = 60_000;

let renewal: ReturnType<typeof setTimeout> | undefined;

/** Reads how to authenticate, and finishes a sign-in that has returned from the issuer. */
export async function startSession(): Promise<void> {
  session.value = { kind: 'loading' };
  try {
    const response = await fetch('/api/session');
    if (!response.ok) throw new Error(`status ${response.status}`);
    const info = (await response.json()) as SessionInfo;
    const finished = info.mode === 'jwt' ? await finishSignIn() : undefined;
    if (finished !== undefined) navigate(finished.returnTo, { replace: true });
    if (info.mode === 'none') session.value = { kind: 'ready', info };
    else if (finished?.tokens !== undefined) useTokens(finished.tokens, info);
    else session.value = { kind: 'signed-out', info, failed: finished !== undefined };
  } catch {
    session.value = { kind: 'unreachable' };
  }
}

/** The headers that authenticate a request; none with AUTH_MODE=none. */
export function authorization(): Record<string, string> {
  return tokens === undefined ? {} : { authorization: `Bearer ${tokens.access}` };
}

/** Goes to the issuer; the page is left. */
export async function signIn(info: SessionInfo): Promise<void> {
  await beginSignIn(info);
}

/** Uses a token that the user has pasted. */
export function pasteToken(text: string, info: SessionInfo): void {
  useTokens({ access: text.trim().replace(/^Bearer /i, '') }, info);
}

/** After a 401, or by the user. */
export function signOut({ failed = false } = {}): void {
  const { value } = session;
  clearTimeout(renewal);
  tokens = undefined;
  if (value.kind === 'ready' && value.info.mode === 'jwt') {
    session.value = { kind: 'signed-out', info: value.info, failed };
  }
}

function useTokens(given: Tokens, info: SessionInfo): void {
  tokens = given;
  session.value = { kind: 'ready', info };
  clearTimeout(renewal);
  const { refresh: refreshToken, expiresInMs } = given;
  if (refreshToken === undefined || expiresInMs === undefined) return;
  const renew = async (): Promise<void> => {
    const renewed = await refresh(refreshToken).catch(() => undefined);
    // Without a new token the old one is used until a service rejects it.
    if (renewed !== undefined && tokens === given)
      useTokens({ refresh: refreshToken, ...renewed }, info);
  };
  renewal = setTimeout(() => void renew(), Math.max(expiresInMs - renewBeforeMs, expiresInMs / 2));
}

import { signal } from '@preact/signals';
import { navigate } from '../router/router.ts';
import { handOverAnswer, signInInWindow } from './sign-in-window.ts';
import { renewalDelay } from './renewal-delay.ts';
import { beginSignIn, failureMessage, finishSignIn, refresh, signOutUrl } from './sign-in.ts';
import type { SessionInfo } from './session-info.ts';
import type { Tokens } from './sign-in.ts';

/**
 * `failed`: the issuer gave no token. `rejected`: a service does not accept the token, or it has expired.
 * `blocked`: the browser did not open the window of the issuer.
 */
export type SignOutReason = 'failed' | 'rejected' | 'blocked';

export type SessionState =
  | { kind: 'loading' }
  | { kind: 'unreachable' }
  | { kind: 'signed-out'; info: SessionInfo; reason?: SignOutReason; message?: string }
  /** The page stays as it is below a dialog, and its requests wait. */
  | { kind: 'expired'; info: SessionInfo; reason: SignOutReason; message?: string }
  /** This window was opened for the sign-in of another one, which has its result. */
  | { kind: 'handed-over' }
  | { kind: 'ready'; info: SessionInfo };

export const session = signal<SessionState>({ kind: 'loading' });

/** In memory only: a token in storage could be read by any script of this origin, also later. */
let tokens: Tokens | undefined;

/** Why the issuer did not renew the token. */
let renewalMessage = '';

let renewalTimer: ReturnType<typeof setTimeout> | undefined;

/** Reads how to authenticate, and finishes a sign-in that has returned from the issuer. */
export async function startSession(): Promise<void> {
  session.value = { kind: 'loading' };
  try {
    const response = await fetch('/api/session');
    if (!response.ok) throw new Error(`status ${response.status}`);
    const info = (await response.json()) as SessionInfo;
    const finished = info.mode === 'jwt' ? await finishSignIn() : undefined;
    if (info.mode === 'jwt' && finished === undefined && (await handOverAnswer())) {
      session.value = { kind: 'handed-over' };
      close();
      return;
    }
    if (finished !== undefined) navigate(finished.returnTo, { replace: true });
    if (info.mode === 'none') session.value = { kind: 'ready', info };
    else if (finished?.tokens !== undefined) useTokens(finished.tokens, info);
    else
      session.value = { kind: 'signed-out', info, ...(finished && failedWith(finished.message)) };
  } catch {
    session.value = { kind: 'unreachable' };
  }
}

function failedWith(message = ''): { reason: 'failed'; message: string } {
  return { reason: 'failed', message };
}

/** The headers that authenticate a request; none with AUTH_MODE=none. */
export function authorization(): Record<string, string> {
  return tokens === undefined ? {} : { authorization: `Bearer ${tokens.access}` };
}

/** Goes to the issuer; the page is left. */
export async function signIn(info: SessionInfo): Promise<void> {
  await beginSignIn(info);
}

/** Signs in again at the issuer in a window of its own, so that the page stays as it is. */
export async function signInAgain(info: SessionInfo): Promise<void> {
  const result = await signInInWindow(info).catch((error: unknown) =>
    failedWith(failureMessage(error)),
  );
  if (session.peek().kind !== 'expired') return;
  if (result === 'blocked') session.value = { kind: 'expired', info, reason: result };
  else if ('reason' in result) session.value = { kind: 'expired', info, ...result };
  else useTokens(result, info);
}

/** Uses a token that the user has pasted. */
export function pasteToken(text: string, info: SessionInfo): void {
  useTokens({ access: text.trim().replace(/^Bearer /i, '') }, info);
}

/** By the user. Ends the session at the issuer as well, where it offers that; otherwise the URL stays. */
export function signOut(): void {
  const { value } = session;
  const id = tokens?.id;
  // A pasted token is of no session at the issuer.
  const isOfIssuer = id !== undefined || tokens?.refresh !== undefined;
  forgetTokens();
  if (!('info' in value) || value.info.mode !== 'jwt') return;
  const { endSessionUrl, clientId } = value.info;
  session.value = { kind: 'signed-out', info: value.info };
  if (isOfIssuer && endSessionUrl !== undefined) {
    location.assign(signOutUrl(endSessionUrl, clientId, id));
  }
}

/** After a 401: the page stays as it is. @param used the headers of the rejected request */
export function expireSession(used: Record<string, string>): void {
  const { value } = session;
  if (authorization().authorization !== used.authorization) return;
  forgetTokens();
  if (value.kind === 'ready' && value.info.mode === 'jwt') {
    const { info } = value;
    session.value = { kind: 'expired', info, reason: 'rejected', message: renewalMessage };
  }
}

function forgetTokens(): void {
  clearTimeout(renewalTimer);
  tokens = undefined;
}

/**
 * Waits while the session is expired. @returns whether there is a token
 * @throws the reason of the signal
 */
export function untilSignedIn(signal?: AbortSignal): Promise<boolean> {
  const hasToken = (state: SessionState): boolean =>
    state.kind === 'ready' && state.info.mode === 'jwt';
  if (session.peek().kind !== 'expired') return Promise.resolve(hasToken(session.peek()));
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const abort = (): void => reject(signal?.reason as Error);
  const stop = session.subscribe((state) => {
    if (state.kind !== 'expired') resolve(hasToken(state));
  });
  signal?.addEventListener('abort', abort);
  return promise.finally(() => {
    stop();
    signal?.removeEventListener('abort', abort);
  });
}

/** @param used the headers of a rejected request @returns whether there is another token by now */
export async function renewRejected(used: Record<string, string>): Promise<boolean> {
  if (authorization().authorization === used.authorization) await renew();
  return tokens !== undefined && authorization().authorization !== used.authorization;
}

let renewal: Promise<void> | undefined;

/** Gets a new token where the issuer gave a refresh token; calls at the same time share the request. */
function renew(): Promise<void> {
  renewal ??= requestRenewal().finally(() => (renewal = undefined));
  return renewal;
}

async function requestRenewal(): Promise<void> {
  const { value } = session;
  const before = tokens;
  if (before?.refresh === undefined || value.kind !== 'ready') return;
  // Without a new token the old one is used until a service rejects it.
  const renewed = await refresh(before.refresh).catch((error: unknown) => {
    renewalMessage = failureMessage(error);
    return undefined;
  });
  if (renewed !== undefined && tokens === before) {
    const { refresh: token, id } = before;
    useTokens({ refresh: token, ...(id !== undefined && { id }), ...renewed }, value.info);
  }
}

function useTokens(given: Tokens, info: SessionInfo): void {
  tokens = given;
  renewalMessage = '';
  if (session.peek().kind !== 'ready') session.value = { kind: 'ready', info };
  clearTimeout(renewalTimer);
  const { refresh: refreshToken, expiresInMs } = given;
  if (refreshToken === undefined || expiresInMs === undefined) return;
  const delay = renewalDelay(expiresInMs);
  if (delay !== undefined) renewalTimer = setTimeout(() => void renew(), delay);
}

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

/** `failed`: the issuer gave no token. `rejected`: a service does not accept the token, or it has expired. */
export type SignOutReason = 'failed' | 'rejected';

export type SessionState =
  | { kind: 'loading' }
  | { kind: 'unreachable' }
  | { kind: 'signed-out'; info: SessionInfo; reason?: SignOutReason }
  | { kind: 'ready'; info: SessionInfo };

export const session = signal<SessionState>({ kind: 'loading' });

/** In memory only: a token in storage could be read by any script of this origin, also later. */
let tokens: Tokens | undefined;

/** Milliseconds before its expiry at which a token is renewed. */
const renewBeforeMs = 60_000;

let renewalTimer: ReturnType<typeof setTimeout> | undefined;

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
    else session.value = { kind: 'signed-out', info, ...(finished && { reason: 'failed' }) };
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

/** After a 401, or by the user. The URL, and so the page, stays. */
export function signOut({ reason }: { reason?: SignOutReason } = {}): void {
  const { value } = session;
  clearTimeout(renewalTimer);
  tokens = undefined;
  if (value.kind === 'ready' && value.info.mode === 'jwt') {
    session.value = { kind: 'signed-out', info: value.info, ...(reason && { reason }) };
  }
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
  const renewed = await refresh(before.refresh).catch(() => undefined);
  if (renewed !== undefined && tokens === before) {
    useTokens({ refresh: before.refresh, ...renewed }, value.info);
  }
}

function useTokens(given: Tokens, info: SessionInfo): void {
  tokens = given;
  if (session.peek().kind !== 'ready') session.value = { kind: 'ready', info };
  clearTimeout(renewalTimer);
  const { refresh: refreshToken, expiresInMs } = given;
  if (refreshToken === undefined || expiresInMs === undefined) return;
  const delay = Math.max(expiresInMs - renewBeforeMs, expiresInMs / 2);
  renewalTimer = setTimeout(() => void renew(), delay);
}

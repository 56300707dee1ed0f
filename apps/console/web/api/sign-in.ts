import type { SessionInfo } from './session.ts';

export interface Tokens {
  access: string;
  refresh?: string;
  expiresInMs?: number;
}

/**
 * State of a sign-in while the browser is at the issuer (RFC 7636: the verifier; RFC 6749, section 10.12: the state).
 * It is no token, and is removed when the browser returns.
 */
const storageKey = 'engawa.sign-in';

interface Pending extends Proof {
  returnTo: string;
}

const redirectUri = (): string => `${location.origin}/house`;

/** Authorization code flow with PKCE: goes to the issuer. */
export async function beginSignIn({
  authorizationUrl,
  clientId,
  scopes,
}: SessionInfo): Promise<void> {
  if (authorizationUrl === undefined || clientId === undefined) return;
  const proof = newProof();
  const pending: Pending = { ...proof, returnTo: location.pathname + location.search };
  sessionStorage.setItem(storageKey, JSON.stringify(pending));
  location.assign(await issuerUrl({ authorizationUrl, clientId, scopes }, proof));
}

/** What proves at the token endpoint that the code was issued to this page. */
export interface Proof {
  state: string;
  verifier: string;
}

export function newProof(): Proof {
  return { state: randomText(), verifier: randomText() };
}

/** Where the user signs in. */
export async function issuerUrl(
  {
    authorizationUrl = '',
    clientId = '',
    scopes,
  }: Pick<SessionInfo, 'authorizationUrl' | 'clientId' | 'scopes'>,
  { state, verifier }: Proof,
): Promise<URL> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const url = new URL(authorizationUrl);
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri(),
    scope: scopes ?? '',
    state,
    code_challenge: base64Url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
}

/** Whether this window went to the issuer. */
export function hasBegun(): boolean {
  return sessionStorage.getItem(storageKey) !== null;
}

/** undefined where the browser does not return from the issuer; without tokens where the sign-in failed. */
export async function finishSignIn(): Promise<{ returnTo: string; tokens?: Tokens } | undefined> {
  const query = new URLSearchParams(location.search);
  const state = query.get('state');
  const stored = sessionStorage.getItem(storageKey);
  if (state === null || stored === null) return undefined;
  sessionStorage.removeItem(storageKey);
  const pending = JSON.parse(stored) as Pending;
  const { returnTo, verifier } = pending;
  const code = query.get('code');
  if (pending.state !== state || code === null) return { returnTo };
  const tokens = await tokensOf(code, verifier).catch(() => undefined);
  return tokens === undefined ? { returnTo } : { returnTo, tokens };
}

/** @throws Error where the issuer rejects the code */
export function tokensOf(code: string, codeVerifier: string): Promise<Tokens> {
  return requestTokens({
    ...{ grantType: 'authorization_code', code, codeVerifier },
    redirectUri: redirectUri(),
  });
}

/** @throws Error where the issuer rejects the refresh token */
export function refresh(refreshToken: string): Promise<Tokens> {
  return requestTokens({ grantType: 'refresh_token', refreshToken });
}

/** The token endpoint's response (RFC 6749, section 5.1). */
interface TokenResponse {
  access_token?: string;
  refresh_token?: string;
  expires_in?: number;
}

async function requestTokens(body: object): Promise<Tokens> {
  const response = await fetch('/api/session/token', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as TokenResponse;
  if (!response.ok || answer.access_token === undefined)
    throw new Error('the issuer gave no token');
  return {
    access: answer.access_token,
    ...(answer.refresh_token !== undefined && { refresh: answer.refresh_token }),
    ...(answer.expires_in !== undefined && { expiresInMs: answer.expires_in * 1000 }),
  };
}

function randomText(): string {
  return base64Url(crypto.getRandomValues(new Uint8Array(32)));
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

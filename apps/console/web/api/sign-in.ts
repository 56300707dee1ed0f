import type { SessionInfo } from './session-info.ts';

export interface Tokens {
  access: string;
  refresh?: string;
  /** Names the session to the issuer when the user signs out. */
  id?: string;
  expiresInMs?: number;
}

/** Characters of a message of the issuer that the page shows. */
const maxMessageLength = 300;

/** The issuer gave no token; the message is the one of the issuer, or empty. */
export class SignInFailed extends Error {
  constructor(message: string) {
    super(message.slice(0, maxMessageLength));
  }
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
  audience,
}: SessionInfo): Promise<void> {
  if (authorizationUrl === undefined || clientId === undefined) return;
  const proof = newProof();
  const pending: Pending = { ...proof, returnTo: location.pathname + location.search };
  sessionStorage.setItem(storageKey, JSON.stringify(pending));
  location.assign(await issuerUrl({ authorizationUrl, clientId, scopes, audience }, proof));
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
    audience,
  }: Pick<SessionInfo, 'authorizationUrl' | 'clientId' | 'scopes' | 'audience'>,
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
    ...(audience !== undefined && { audience }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
}

/** Whether this window went to the issuer. */
export function hasBegun(): boolean {
  return sessionStorage.getItem(storageKey) !== null;
}

/** Where the user ends the session at the issuer (OpenID Connect RP-Initiated Logout 1.0, section 2). */
export function signOutUrl(issuer: string, clientId = '', id: string | undefined): URL {
  const url = new URL(issuer);
  url.searchParams.set('client_id', clientId);
  url.searchParams.set('post_logout_redirect_uri', redirectUri());
  if (id !== undefined) url.searchParams.set('id_token_hint', id);
  return url;
}

/** The reason of an error response (RFC 6749, sections 4.1.2.1 and 5.2). */
export function issuerMessage(error: unknown, description: unknown): string {
  return [error, description].filter((text) => typeof text === 'string' && text !== '').join(': ');
}

interface FinishedSignIn {
  returnTo: string;
  tokens?: Tokens;
  /** The message of the issuer, where the sign-in failed. */
  message?: string;
}

/** undefined where the browser does not return from the issuer; without tokens where the sign-in failed. */
export async function finishSignIn(): Promise<FinishedSignIn | undefined> {
  const query = new URLSearchParams(location.search);
  const state = query.get('state');
  const stored = sessionStorage.getItem(storageKey);
  if (state === null || stored === null) return undefined;
  sessionStorage.removeItem(storageKey);
  const pending = JSON.parse(stored) as Pending;
  const { returnTo, verifier } = pending;
  const code = query.get('code');
  if (pending.state !== state) return { returnTo };
  if (code === null) {
    return { returnTo, message: issuerMessage(query.get('error'), query.get('error_description')) };
  }
  try {
    return { returnTo, tokens: await tokensOf(code, verifier) };
  } catch (error) {
    return { returnTo, message: failureMessage(error) };
  }
}

/** The message of the issuer; empty for an error of the network. */
export function failureMessage(error: unknown): string {
  return error instanceof SignInFailed ? error.message : '';
}

/** @throws SignInFailed where the issuer rejects the code */
export function tokensOf(code: string, codeVerifier: string): Promise<Tokens> {
  return requestTokens({
    ...{ grantType: 'authorization_code', code, codeVerifier },
    redirectUri: redirectUri(),
  });
}

/** @throws SignInFailed where the issuer rejects the refresh token */
export function refresh(refreshToken: string): Promise<Tokens> {
  return requestTokens({ grantType: 'refresh_token', refreshToken });
}

/** The token endpoint's response (RFC 6749, sections 5.1 and 5.2), or a problem of the console. */
interface TokenResponse {
  access_token?: string;
  refresh_token?: string;
  id_token?: string;
  /** A number; some issuers write it as text. */
  expires_in?: number | string;
  error?: unknown;
  error_description?: unknown;
  detail?: unknown;
}

async function requestTokens(body: object): Promise<Tokens> {
  const response = await fetch('/api/session/token', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as TokenResponse;
  if (!response.ok || answer.access_token === undefined) {
    const { error, error_description: description, detail } = answer;
    throw new SignInFailed(issuerMessage(error, description) || issuerMessage(detail, ''));
  }
  return {
    access: answer.access_token,
    ...(answer.refresh_token !== undefined && { refresh: answer.refresh_token }),
    ...(answer.id_token !== undefined && { id: answer.id_token }),
    ...(answer.expires_in !== undefined && { expiresInMs: Number(answer.expires_in) * 1000 }),
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

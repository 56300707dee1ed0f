import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

interface Grant {
  scope: string;
  redirectUri: string;
  /** SHA-256 of the verifier, as base64url. */
  challenge: string;
}

export interface CodeFlowOptions {
  /** @returns an access token with these claims */
  token: (claims: Record<string, unknown>) => Promise<string>;
}

/**
 * The authorization code flow with PKCE of a public client (RFC 6749, section 4.1; RFC 7636). The user has a session at
 * the issuer, and consents to everything. Codes and refresh tokens are valid once.
 */
export class CodeFlow {
  readonly clientId = 'engawa-console';
  readonly #options: CodeFlowOptions;
  readonly #codes = new Map<string, Grant>();
  readonly #refreshTokens = new Map<string, string>();
  /** Seconds for which the next access tokens are valid. */
  expiresInSeconds = 300;
  /** The user does not consent. */
  denies = false;
  /** Number of tokens that were renewed. */
  renewals = 0;
  /** The parameters of requests to end the session. */
  readonly signOuts: Record<string, string>[] = [];

  constructor(options: CodeFlowOptions) {
    this.#options = options;
  }

  /** Redirects to the client with a code, or with an error. */
  authorize(request: IncomingMessage, response: ServerResponse): void {
    const { searchParams: query } = new URL(request.url ?? '', 'http://issuer.test');
    const text = (name: string): string => query.get(name) ?? '';
    const isValid =
      text('response_type') === 'code' &&
      text('client_id') === this.clientId &&
      text('code_challenge_method') === 'S256';
    if (!isValid) {
      response.writeHead(400).end('invalid_request');
      return;
    }
    const target = new URL(text('redirect_uri'));
    target.searchParams.set('state', text('state'));
    if (this.denies) {
      target.searchParams.set('error', 'access_denied');
      target.searchParams.set('error_description', 'not a member of the house');
    } else target.searchParams.set('code', this.#newCode(text('scope'), text));
    response.writeHead(302, { location: target.href }).end();
  }

  /** Returns to the client (OpenID Connect RP-Initiated Logout 1.0, section 3). */
  endSession(request: IncomingMessage, response: ServerResponse): void {
    const { searchParams: query } = new URL(request.url ?? '', 'http://issuer.test');
    this.signOuts.push(Object.fromEntries(query));
    response.writeHead(302, { location: query.get('post_logout_redirect_uri') ?? '/' }).end();
  }

  /** Answers a request to the token endpoint. */
  async exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
    const scope = this.#redeem(new URLSearchParams(body));
    const answer =
      scope === undefined
        ? { error: 'invalid_grant', error_description: 'the grant is not valid' }
        : {
            token_type: 'Bearer',
            access_token: await this.#newToken(scope),
            refresh_token: this.#newRefreshToken(scope),
            expires_in: this.expiresInSeconds,
          };
    response.writeHead(scope === undefined ? 400 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  }

  #newCode(scope: string, text: (name: string) => string): string {
    const code = randomUUID();
    const [redirectUri, challenge] = [text('redirect_uri'), text('code_challenge')];
    this.#codes.set(code, { scope, redirectUri, challenge });
    return code;
  }

  #newToken(scope: string): Promise<string> {
    const exp = Math.floor(Date.now() / 1000) + this.expiresInSeconds;
    return this.#options.token({ scope, exp });
  }

  #newRefreshToken(scope: string): string {
    const token = randomUUID();
    this.#refreshTokens.set(token, scope);
    return token;
  }

  /** @returns the granted scope; undefined for a code or refresh token that is not valid */
  #redeem(form: URLSearchParams): string | undefined {
    if (form.get('client_id') !== this.clientId) return undefined;
    if (form.get('grant_type') === 'refresh_token') {
      const token = form.get('refresh_token') ?? '';
      const scope = this.#refreshTokens.get(token);
      if (this.#refreshTokens.delete(token)) this.renewals += 1;
      return scope;
    }
    const code = form.get('code') ?? '';
    const grant = this.#codes.get(code);
    this.#codes.delete(code);
    const verifier = form.get('code_verifier') ?? '';
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const isProven =
      grant?.challenge === challenge && grant.redirectUri === form.get('redirect_uri');
    return isProven ? grant.scope : undefined;
  }
}

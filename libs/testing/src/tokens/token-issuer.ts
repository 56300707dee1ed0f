import { once } from 'node:events';
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { CodeFlow } from './code-flow.ts';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CryptoKey, JWK, JWTHeaderParameters } from 'jose';

const configurationPath = '/.well-known/openid-configuration';
const keysPath = '/keys';
const authorizePath = '/authorize';
const tokenPath = '/token';
const endSessionPath = '/logout';
const audience = 'engawa';

export interface SigningKey {
  algorithm: string;
  keyId: string;
  secret: CryptoKey;
  /** As the issuer publishes it. */
  published: JWK;
}

export async function signingKey(keyId: string, algorithm = 'ES256'): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
  const published = { ...(await exportJWK(publicKey)), kid: keyId, alg: algorithm, use: 'sig' };
  return { algorithm, keyId, secret: privateKey, published };
}

/** A small OpenID provider with a real key, on its own port. */
export class TokenIssuer {
  readonly #server: Server;
  #keys: SigningKey[];
  #port = 0;
  /** Signs users in. */
  readonly codeFlow = new CodeFlow({ token: (claims) => this.token(claims) });
  /** Number of requests for the keys. */
  keyRequests = 0;

  static async start(): Promise<TokenIssuer> {
    const issuer = new TokenIssuer(await signingKey('key-1'));
    await issuer.resume();
    return issuer;
  }

  private constructor(key: SigningKey) {
    this.#keys = [key];
    this.#server = createServer((request, response) => this.#answer(request, response));
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get keysUrl(): string {
    return this.url + keysPath;
  }

  /** Settings of a service that requires tokens of this issuer. */
  get environment(): Record<string, string> {
    return { AUTH_MODE: 'jwt', AUTH_ISSUER: this.url, AUTH_AUDIENCE: audience };
  }

  /** The current signing key. */
  get key(): SigningKey {
    const [newest] = this.#keys;
    if (newest === undefined) throw new Error('the issuer has no key');
    return newest;
  }

  /** Replaces all keys: signs with the first of these, and publishes all of them. */
  useKeys(...keys: [SigningKey, ...SigningKey[]]): void {
    this.#keys = keys;
  }

  /** A valid token with these changes of claims and header; undefined removes one. */
  token(
    claims: Record<string, unknown>,
    key = this.key,
    header: Partial<JWTHeaderParameters> = {},
  ): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const usual: Record<string, unknown> = {
      iss: this.url,
      aud: audience,
      sub: 'tester',
      iat: now,
      exp: now + 300,
    };
    const given = Object.entries({ ...usual, ...claims }).filter(
      ([, value]) => value !== undefined,
    );
    return new SignJWT(Object.fromEntries(given))
      .setProtectedHeader({ alg: key.algorithm, kid: key.keyId, typ: 'at+jwt', ...header })
      .sign(key.secret);
  }

  /** Stops listening until it is resumed. */
  async close(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  /** Listens at the same address again. */
  async resume(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const [path = ''] = request.url?.split('?') ?? [];
    if (path === authorizePath) this.codeFlow.authorize(request, response);
    else if (path === endSessionPath) this.codeFlow.endSession(request, response);
    else if (path === tokenPath) void this.codeFlow.exchange(request, response);
    else {
      if (path === keysPath) this.keyRequests += 1;
      const body = this.#pages()[path];
      response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body ?? {}));
    }
  }

  #pages(): Record<string, unknown> {
    return {
      [configurationPath]: {
        issuer: this.url,
        jwks_uri: this.keysUrl,
        authorization_endpoint: this.url + authorizePath,
        token_endpoint: this.url + tokenPath,
        end_session_endpoint: this.url + endSessionPath,
      },
      [keysPath]: { keys: this.#keys.map(({ published }) => published) },
    };
  }
}

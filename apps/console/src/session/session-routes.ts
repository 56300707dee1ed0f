import { Problem } from '@engawa/errors';
import { limitRate } from '@engawa/http';
import { messageOf } from '@engawa/service';
import express, { Router } from 'express';
import { z } from 'zod';
import { Issuer } from './issuer.ts';
import type { Config } from '../config.ts';

const tokenRequest = z.discriminatedUnion('grantType', [
  z.strictObject({
    grantType: z.literal('authorization_code'),
    code: z.string().max(8000),
    codeVerifier: z.string().max(128),
    redirectUri: z.url().max(2000),
  }),
  z.strictObject({ grantType: z.literal('refresh_token'), refreshToken: z.string().max(16_000) }),
]);

/** Requests a minute of one client, which may be a proxy with many users: a page renews a token once in minutes. */
const maxTokenRequestsPerMinute = 300;

/** Characters: an invalid document has a line per member. */
const maxProblemLength = 300;

export interface SessionOptions {
  config: Config;
  /** Undefined where users paste a token. */
  issuer: Issuer | undefined;
}

/** The issuer that signs users in; undefined where none is configured. @param now monotonic milliseconds */
export function issuerOf(config: Config, now: () => number): Issuer | undefined {
  const { AUTH_MODE, AUTH_ISSUER, AUTH_CLIENT_ID } = config;
  if (AUTH_MODE !== 'jwt' || AUTH_ISSUER === undefined || AUTH_CLIENT_ID === undefined) {
    return undefined;
  }
  return new Issuer(AUTH_ISSUER, now);
}

/**
 * `GET /session` says how the services authenticate callers, and `POST /session/token` passes a code or a refresh token
 * on to the issuer: the page itself connects to no other host. The console keeps no token.
 */
export function sessionRoutes({ config, issuer }: SessionOptions): Router {
  const { AUTH_MODE, AUTH_CLIENT_ID, AUTH_SCOPES, AUTH_CLIENT_AUDIENCE } = config;
  const mode = AUTH_MODE ?? 'none';
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/session', async (_request, response) => {
    if (issuer === undefined) {
      response.json({ mode });
      return;
    }
    const client = {
      clientId: AUTH_CLIENT_ID,
      scopes: AUTH_SCOPES,
      audience: AUTH_CLIENT_AUDIENCE,
    };
    response.json({ mode, ...client, ...(await endpointsOf(issuer)) });
  });
  router.post('/session/token', limitRate({ perMinute: maxTokenRequestsPerMinute }));
  router.post('/session/token', express.json({ limit: '32kb' }), async (request, response) => {
    if (issuer === undefined) {
      throw new Problem('route-not-found', 'The console has no client id of a token issuer.');
    }
    const parsed = tokenRequest.safeParse(request.body);
    if (!parsed.success) throw new Problem('invalid-request', z.prettifyError(parsed.error));
    const { status, text } = await issuer.token({
      client_id: AUTH_CLIENT_ID ?? '',
      ...tokenForm(parsed.data),
    });
    response.status(status).type('json').send(text);
  });
  return router;
}

/** The endpoints that the page opens. Without the issuer, a token can still be pasted. */
async function endpointsOf(issuer: Issuer) {
  try {
    const { authorization_endpoint, end_session_endpoint } = await issuer.metadata();
    return { authorizationUrl: authorization_endpoint, endSessionUrl: end_session_endpoint };
  } catch (error) {
    return { issuerProblem: messageOf(error).slice(0, maxProblemLength) };
  }
}

/** The parameters of RFC 6749 (section 4.1.3 and 6) and RFC 7636 (section 4.5). */
function tokenForm(request: z.output<typeof tokenRequest>): Record<string, string> {
  if (request.grantType === 'refresh_token') {
    return { grant_type: 'refresh_token', refresh_token: request.refreshToken };
  }
  return {
    grant_type: 'authorization_code',
    code: request.code,
    code_verifier: request.codeVerifier,
    redirect_uri: request.redirectUri,
  };
}

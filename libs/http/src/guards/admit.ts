import { Problem } from '@engawa/errors';
import type { ExchangeHandler, ExchangeResponse } from '../exchange.ts';
import type { Route, Scope } from '../route.ts';
import type { TokenCheck } from './token-check.ts';

/** Finds out who asks, for what comes after it; whether that is enough is for `admit` to say. */
export function identify(tokens: TokenCheck): ExchangeHandler {
  return async (request, response, next) => {
    try {
      response.locals.exchange.caller = await tokens.check(request.get('authorization'));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      response.locals.exchange.caller = error;
    }
    next();
  };
}

/** What a token must allow for this route; undefined where none is needed. */
export function scopeOf({ scope, method }: Route): Scope | undefined {
  if (scope === 'none') return undefined;
  return scope ?? (method === 'get' ? 'read' : 'write');
}

/**
 * Says what RFC 6750 section 3 wants said to who may not.
 * @throws Problem `unauthenticated`, `keys-unavailable` or `forbidden`
 */
export function admit(route: Route, response: ExchangeResponse, service: string): void {
  const { caller } = response.locals.exchange;
  const scope = scopeOf(route);
  if (scope === undefined) return;
  if (caller === undefined) throw new Error('nobody has asked who asks');
  if (caller instanceof Problem) {
    if (caller.code === 'unauthenticated') {
      const tokenGiven = response.req.headers.authorization !== undefined;
      response.set('WWW-Authenticate', tokenGiven ? 'Bearer error="invalid_token"' : 'Bearer');
    }
    throw caller;
  }
  if (caller.allows(scope)) return;
  const needed = `${service}:${scope}`;
  response.set('WWW-Authenticate', `Bearer error="insufficient_scope", scope="${needed}"`);
  throw new Problem('forbidden', `This needs a token with the scope ${needed}.`);
}

import { Problem } from '@engawa/errors';
import type { Exchange, ExchangeHandler, ExchangeResponse } from '../route/exchange.ts';
import type { Scope } from '../route/caller.ts';
import type { Route } from '../route/route.ts';
import { allPlaces } from '../route/places.ts';
import type { Places } from '../route/places.ts';
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
  if (caller.allows(scope)) {
    expectPlaces(route, response, caller.places);
    return;
  }
  const needed = `${service}:${scope}`;
  response.set('WWW-Authenticate', `Bearer error="insufficient_scope", scope="${needed}"`);
  throw new Problem('forbidden', `This needs a token with the scope ${needed}.`);
}

/** A route that does not declare `keepsToPlaces` may show items of any place, so it is closed to restricted callers. */
function expectPlaces(route: Route, response: ExchangeResponse, places: Places): void {
  if (!places.isRestricted || route.filtersByPlace === true) return;
  response.set('WWW-Authenticate', 'Bearer error="insufficient_scope"');
  throw new Problem('forbidden', 'This needs a token that is not restricted to places.');
}

/** Who the caller of an admitted request is, where that is known. */
export function subjectOfCaller({ caller }: Exchange): string | undefined {
  return caller instanceof Problem ? undefined : caller?.subject;
}

/** Where the caller of an admitted request may look. */
export function placesOfCaller({ caller }: Exchange): Places {
  return caller === undefined || caller instanceof Problem ? allPlaces : caller.places;
}

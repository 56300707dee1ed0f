import { InvariantError, Problem } from '@engawa/errors';
import type { Exchange, ExchangeHandler, ExchangeResponse } from '../route/exchange.ts';
import type { Scope } from '../route/caller.ts';
import type { Route } from '../route/route.ts';
import { allPlaces } from '../route/places.ts';
import type { Places } from '../route/places.ts';
import type { TokenCheck } from './token-check.ts';

/** Authenticates the client of a request, for later steps; `authorize` decides whether it may call a route. */
export function authenticate(tokens: TokenCheck): ExchangeHandler {
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

/** The scope that a token needs for this route; undefined where no token is needed. */
export function scopeOf({ scope, method }: Route): Scope | undefined {
  if (scope === 'none') return undefined;
  return scope ?? (method === 'get' ? 'read' : 'write');
}

/**
 * Checks that the client may call a route. A rejection has the WWW-Authenticate header of RFC 6750, section 3.
 * @throws Problem `unauthenticated`, `keys-unavailable` or `forbidden`
 */
export function authorize(route: Route, response: ExchangeResponse, service: string): void {
  const { caller } = response.locals.exchange;
  const scope = scopeOf(route);
  if (scope === undefined) return;
  if (caller === undefined)
    throw new InvariantError('a request is authenticated before it is authorized');
  if (caller instanceof Problem) {
    if (caller.code === 'unauthenticated') {
      const tokenGiven = response.req.headers.authorization !== undefined;
      response.set('WWW-Authenticate', tokenGiven ? 'Bearer error="invalid_token"' : 'Bearer');
    }
    throw caller;
  }
  if (caller.allows(scope)) {
    requireUnrestricted(route, response, caller.places);
    return;
  }
  const needed = `${service}:${scope}`;
  response.set('WWW-Authenticate', `Bearer error="insufficient_scope", scope="${needed}"`);
  throw new Problem('forbidden', `This route needs a token with the scope ${needed}.`);
}

/** A route without `filtersByPlace` may return resources of any place, so callers restricted to places are rejected. */
function requireUnrestricted(route: Route, response: ExchangeResponse, places: Places): void {
  if (!places.isRestricted || route.filtersByPlace === true) return;
  response.set('WWW-Authenticate', 'Bearer error="insufficient_scope"');
  throw new Problem('forbidden', 'This route needs a token that is not restricted to places.');
}

/** The subject of the caller of an authorized request, where it has one. */
export function subjectOfCaller({ caller }: Exchange): string | undefined {
  return caller instanceof Problem ? undefined : caller?.subject;
}

/** The places that the caller of an authorized request may access. */
export function placesOfCaller({ caller }: Exchange): Places {
  return caller === undefined || caller instanceof Problem ? allPlaces : caller.places;
}

import { Problem } from '@engawa/errors';
import type { ExchangeHandler } from '@engawa/http';

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Rejects changes that another site's page sends. Without authentication (AUTH_MODE=none) any page in the user's
 * browser could otherwise write through the console. Browsers set `Sec-Fetch-Site`, and pages cannot change it.
 */
export function requireSameOrigin(): ExchangeHandler {
  return (request, _response, next) => {
    const site = request.get('sec-fetch-site');
    const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none';
    if (isForeign && !safeMethods.has(request.method)) {
      throw new Problem(
        'cross-site-request',
        'The console accepts changes from its own pages only.',
      );
    }
    next();
  };
}

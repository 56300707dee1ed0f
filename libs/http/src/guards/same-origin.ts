import { Problem } from '@engawa/errors';
import type { ExchangeHandler, ExchangeRequest } from '../route/exchange.ts';

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Rejects changes that another site's page sends. Without authentication (AUTH_MODE=none) any page in the user's
 * browser could otherwise write: a form, or a POST without a JSON body, needs no consent of the service.
 * @throws Problem `cross-site-request`
 */
export function requireSameOrigin(): ExchangeHandler {
  return (request, _response, next) => {
    if (!safeMethods.has(request.method) && isForeign(request)) {
      const detail = 'Changes are accepted from pages of the same origin and from programs only.';
      throw new Problem('cross-site-request', detail);
    }
    next();
  };
}

/**
 * Browsers set both headers, and pages cannot change them. `Sec-Fetch-Site` is missing for hosts without TLS other than
 * loopback (Fetch Metadata, section 2), and `Host` is that of the last proxy.
 */
function isForeign(request: ExchangeRequest): boolean {
  const site = request.get('sec-fetch-site');
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const origin = request.get('origin');
  if (origin === undefined) return false;
  const [, host] = /^https?:\/\/(.+)$/.exec(origin) ?? [];
  return (
    host === undefined || ![request.get('host'), request.get('x-forwarded-host')].includes(host)
  );
}

import { isIP } from 'node:net';
import { Problem } from '@engawa/errors';
import type { ExchangeHandler } from '../route/exchange.ts';

/** `AUTH_MODE` (by default `none`) and the host names of the process. */
export interface HostSettings {
  AUTH_MODE?: 'jwt' | 'none' | undefined;
  ALLOWED_HOSTS: readonly string[];
  /** Other processes send requests to these URLs. */
  HOT_PARTITION_PEERS?: readonly string[];
}

/**
 * Without authentication, refuses names that anyone may have pointed at this address: the pages of such a name are of
 * the same origin as the service for a browser (DNS rebinding), and could read and delete everything (docs/adr/0120).
 * @throws Problem `host-refused`
 */
export function requireKnownHost(settings: HostSettings): ExchangeHandler {
  const peers = (settings.HOT_PARTITION_PEERS ?? []).map((url) => new URL(url).hostname);
  const allowed = [...settings.ALLOWED_HOSTS, ...peers];
  const isOpen = settings.AUTH_MODE === 'jwt' || allowed.includes('*');
  return ({ headers }, _response, next) => {
    const { host } = headers;
    // HTTP/1.0, which no browser sends, has no Host.
    if (isOpen || host === undefined || isKnownHost(host, allowed)) {
      next();
      return;
    }
    const detail =
      'Without authentication, only addresses, localhost, names of this cluster and those in ALLOWED_HOSTS are answered.';
    throw new Problem('host-refused', detail);
  };
}

/** @param allowed names, or `*.example.com` for all names below it */
export function isKnownHost(host: string, allowed: readonly string[]): boolean {
  const name = /^(?:\[([\da-f:.]+)\]|([^:]+))(?::\d*)?$/i.exec(host);
  const bare = (name?.[1] ?? name?.[2] ?? '').toLowerCase().replace(/\.$/, '');
  return (
    isIP(bare) !== 0 ||
    isLocalName(bare) ||
    allowed.some((entry) =>
      entry.startsWith('*.') ? bare.endsWith(entry.slice(1)) : bare === entry,
    )
  );
}

/** Names that the public DNS cannot have: without a dot, below `localhost` (RFC 6761), and Services of Kubernetes. */
function isLocalName(name: string): boolean {
  return /^[\w-]+$|\.localhost$|\.svc$|\.svc\.cluster\.local$/.test(name);
}

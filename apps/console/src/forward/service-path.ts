import { isServiceName } from '../services.ts';
import type { ServiceName } from '../services.ts';

/** The paths of a service that browsers may reach: its API, its OpenAPI document and its problem types. */
const allowedPath = /^\/(?:v1\/|problems\/|openapi\.json$)/;

/**
 * Splits `/<service>/v1/…?…`, the part of a URL after `/api`.
 * @returns undefined for a service or a path that is not forwarded
 */
export function servicePath(url: string): { service: ServiceName; path: string } | undefined {
  const [, name = '', rest = ''] = /^\/([^/?]*)(\/.*)?$/.exec(url) ?? [];
  const [path = ''] = rest.split('?', 1);
  if (!isServiceName(name) || !allowedPath.test(path) || hasDotSegment(path)) return undefined;
  return { service: name, path: rest };
}

/** A dot segment, also percent-encoded, would leave the allowed paths (WHATWG URL, "double-dot path segment"). */
function hasDotSegment(path: string): boolean {
  return path.split(/[/\\]/).some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
}

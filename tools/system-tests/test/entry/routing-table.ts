import type { OpenApiDocument } from '@engawa/http';

/** The routes of all services behind one host; charts/engawa/files/routes.json. */
export interface ServiceRoutes {
  service: string;
  matches: PathMatch[];
}

/** A path match of an HTTPRoute (Gateway API). */
export interface PathMatch {
  type: 'Exact' | 'PathPrefix' | 'RegularExpression';
  value: string;
}

/** Paths that all services have, with the service that answers for all; `undefined`: they concern one service only. */
const shared: Record<string, string | undefined> = {
  '/problems/{code}': 'registry',
  // Covers the processes of all services that HOT_PARTITION_PEERS names.
  '/v1/hot-partitions/merged': 'query',
  '/v1/hot-partitions': undefined,
  '/v1/hot-partitions/history/merged': 'query',
  '/v1/hot-partitions/history': undefined,
};

/**
 * The service of each path template.
 * @throws Error for a template of two services
 */
export function ownersOf(contracts: Record<string, OpenApiDocument>): Map<string, string> {
  const owners = new Map<string, string>();
  for (const [service, { paths }] of Object.entries(contracts)) {
    for (const path of Object.keys(paths)) {
      const owner = path in shared ? shared[path] : service;
      const other = owners.get(path) ?? owner;
      if (other !== owner) throw new Error(`${path} is of ${other} and of ${service}`);
      if (owner !== undefined) owners.set(path, owner);
    }
  }
  return owners;
}

/**
 * Routing rules: a prefix if all paths below it belong to one service, otherwise one rule per path.
 * No request matches rules of two services, so their order does not matter: proxies rank
 * expressions differently.
 */
export function routingTable(contracts: Record<string, OpenApiDocument>): ServiceRoutes[] {
  const owners = ownersOf(contracts);
  const ofPrefix = Map.groupBy(owners, ([path]) => prefixOf(path));
  return Object.keys(contracts).map((service) => {
    const matches = [...ofPrefix].flatMap(([prefix, paths]) => {
      const own = paths.filter(([, owner]) => owner === service).map(([path]) => path);
      if (own.length === 0) return [];
      const isAlone = own.length === paths.length && !Object.keys(shared).includes(own[0] ?? '');
      return isAlone ? [{ type: 'PathPrefix' as const, value: prefix }] : own.map(matchOf);
    });
    return { service, matches: matches.sort((a, b) => (a.value < b.value ? -1 : 1)) };
  });
}

/**
 * The routes of the console: its pages, its files, and `/api`, below which it forwards requests to the services. No
 * service has paths below them.
 * @param pagesSource the text of apps/console/web/pages/pages.ts
 */
export function consoleRoutes(pagesSource: string): ServiceRoutes {
  const pages = [...pagesSource.matchAll(/^ {4}path: '(?<path>[^']+)'/gm)];
  const prefixes = ['/api', '/assets', ...pages.map(({ groups }) => groups?.['path'] ?? '')];
  return {
    service: 'console',
    matches: [
      { type: 'Exact', value: '/' },
      ...prefixes.sort().map((value) => ({ type: 'PathPrefix' as const, value })),
    ],
  };
}

export function matches({ type, value }: PathMatch, path: string): boolean {
  if (type === 'Exact') return path === value;
  if (type === 'PathPrefix') return path === value || path.startsWith(`${value}/`);
  return new RegExp(value).test(path);
}

/** The prefix of a path, such as `/v1/devices`. */
function prefixOf(path: string): string {
  return path.split('/').slice(0, 3).join('/');
}

/**
 * Anchored, since some proxies search an expression anywhere in a path. Ids contain no slash: it is
 * percent-encoded.
 */
function matchOf(path: string): PathMatch {
  if (!path.includes('{')) return { type: 'Exact', value: path };
  return { type: 'RegularExpression', value: `^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$` };
}

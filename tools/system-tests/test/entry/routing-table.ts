import type { OpenApiDocument } from '@engawa/http';

/** What a proxy has to know to put all services behind one host; charts/engawa/files/routes.json. */
export interface ServiceRoutes {
  service: string;
  matches: PathMatch[];
}

/** As a match of an HTTPRoute (Gateway API) has it. */
export interface PathMatch {
  type: 'Exact' | 'PathPrefix' | 'RegularExpression';
  value: string;
}

/**
 * Paths that all services have. What they answer is the same but for `undefined`: there it is about
 * the service itself.
 */
const shared: Record<string, string | undefined> = {
  '/problems/{code}': 'registry',
  // Of the processes of all services, where HOT_PARTITION_PEERS names them.
  '/v1/hot-partitions/merged': 'query',
  '/v1/hot-partitions': undefined,
};

/** The service of each path template. @throws Error for one that two services have */
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
 * The rules that follow: a prefix where all paths below it are of one service, else each path by
 * itself. No request fits rules of two services, so their order does not matter: proxies rank
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

export function matches({ type, value }: PathMatch, path: string): boolean {
  if (type === 'Exact') return path === value;
  if (type === 'PathPrefix') return path === value || path.startsWith(`${value}/`);
  return new RegExp(value).test(path);
}

/** `/v1/devices` of all paths below it. */
function prefixOf(path: string): string {
  return path.split('/').slice(0, 3).join('/');
}

/** Anchored, for some proxies look for an expression anywhere in a path. Ids have no slash: it is percent-encoded. */
function matchOf(path: string): PathMatch {
  if (!path.includes('{')) return { type: 'Exact', value: path };
  return { type: 'RegularExpression', value: `^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$` };
}

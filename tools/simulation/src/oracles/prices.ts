import { isDeepStrictEqual } from 'node:util';
import { rowsOf } from './catalog-audit.ts';
import { untilIdle } from './units-audit.ts';
import type { ServiceName } from '../world/load-services.ts';
import type { System } from '../world/system.ts';

interface Price {
  service: ServiceName;
  path: string;
  /** Capacity units by operation, index and kind, such as `Query gsi1 read`. */
  units: Readonly<Record<string, number>>;
}

/** Some costs of docs/reference/table.md, "Costs", which apply to keys with one shard. */
const prices: readonly Price[] = [
  { service: 'registry', path: '/v1/devices?limit=10', units: { 'Query gsi1 read': 0.5 } },
  {
    service: 'registry',
    path: '/v1/devices?order=lastSeen&limit=5',
    units: { 'Query gsi2 read': 0.5 },
  },
  { service: 'registry', path: '/v1/places?limit=10', units: { 'Query gsi1 read': 0.5 } },
  { service: 'catalog', path: '/v1/entities/Tally/x', units: { 'Query table read': 1 } },
  { service: 'catalog', path: '/v1/entities/Artist?limit=10', units: { 'Query gsi1 read': 0.5 } },
  {
    service: 'catalog',
    path: '/v1/search/Artist/byName?limit=5',
    units: { 'Query gsi2 read': 0.5 },
  },
  {
    service: 'catalog',
    path: '/v1/rankings/Artist/byPlays?limit=5',
    units: { 'Query gsi2 read': 0.5 },
  },
];
/** Maximum number of requests per price, since background tasks of a service may consume units during a request. */
const attempts = 5;

/** Compares the units of some requests with their documented costs. @returns a sentence per difference */
export async function violationsOfPrices(system: System): Promise<string[]> {
  const isSpread = rowsOf(system.table.items()).some(({ key }) => key.item === 'shardMap');
  if (isSpread) return [];
  const violations: string[] = [];
  for (const price of prices) {
    const { path, units } = price;
    let taken: Record<string, number> = {};
    for (let left = attempts; left > 0 && !isDeepStrictEqual(taken, units); left--) {
      taken = await unitsOf(system, price);
    }
    if (isDeepStrictEqual(taken, units)) continue;
    violations.push(
      `GET ${path} consumes ${JSON.stringify(taken)} units instead of ${JSON.stringify(units)}`,
    );
  }
  return violations;
}

async function unitsOf(system: System, { service, path }: Price): Promise<Record<string, number>> {
  const { gateway, table } = system;
  await untilIdle(system);
  const before = table.usage.reportedUnits;
  await gateway.insist(service, { path });
  await untilIdle(system);
  const changes = [...table.usage.reportedUnits].flatMap(([what, units]) => {
    const more = units - (before.get(what) ?? 0);
    return more === 0 ? [] : [[what, more] as const];
  });
  return Object.fromEntries(changes);
}

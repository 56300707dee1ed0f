import { isDeepStrictEqual } from 'node:util';
import { rowsOf } from './catalog-audit.ts';
import { untilIdle } from './units-audit.ts';
import type { ServiceName } from '../world/load-services.ts';
import type { System } from '../world/system.ts';

interface Price {
  service: ServiceName;
  path: string;
  /** As in `Query gsi1 read`. */
  units: Readonly<Record<string, number>>;
}

/** Some of docs/reference/table.md, "Costs", where nothing has more than one shard. */
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
/** Something that a service does by itself may take units during a request: then it is asked again. */
const attempts = 5;

/** What some requests take, while nothing else is asked. @returns what is wrong, in words */
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
      `GET ${path} takes ${JSON.stringify(taken)} units, not ${JSON.stringify(units)}`,
    );
  }
  return violations;
}

async function unitsOf(system: System, { service, path }: Price): Promise<Record<string, number>> {
  const { gateway, table } = system;
  await untilIdle(system);
  const before = table.usage.toldUnits;
  await gateway.insist(service, { path });
  await untilIdle(system);
  const changes = [...table.usage.toldUnits].flatMap(([what, units]) => {
    const more = units - (before.get(what) ?? 0);
    return more === 0 ? [] : [[what, more] as const];
  });
  return Object.fromEntries(changes);
}

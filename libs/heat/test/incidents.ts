import { Heat } from '../src/counting/heat.ts';
import type { ThrottlingScope } from '../src/keys/partition.ts';

/** Write units a second that one physical partition serves. */
export const partitionLimit = 1000;

/** A load that DynamoDB throttles. */
export interface Incident {
  /** Demand of each key in write units a second. */
  demands: ReadonlyMap<string, number>;
  /** The physical partitions: DynamoDB keeps several keys in one. */
  partitions: readonly (readonly string[])[];
  /** Units a second that each partition serves: fewer than its limit while an on-demand table ramps up. */
  served: number;
  /** Units a second that all keys together may use. */
  tableLimit: number;
  /** The key that alone uses most of a partition; none where the cause is elsewhere. */
  culprit: string | undefined;
}

const steps = { perSecond: 10, seconds: 20 };
const unitsPerRequest = 5;
/** A throttled request is sent again after a pause that doubles; so half of the requests come again within a step. */
const retried = 0.5;

type Random = () => number;

const between = (random: Random, least: number, most: number) => least + random() * (most - least);

/** One of the incidents that are told apart by who uses how much. */
export function incidentOf(random: Random): Incident {
  const cause = ['alone', 'neighbours', 'ramp', 'table', 'many'][Math.floor(random() * 5)];
  const innocents = Array.from(
    { length: Math.floor(between(random, 3, 80)) },
    (_, each) => `k${each}`,
  );
  const small = () => between(random, 1, 50);
  const demands = new Map(innocents.map((name) => [name, small()]));
  const hasCulprit = cause === 'alone' || cause === 'neighbours' || cause === 'many';
  const culprit = hasCulprit ? 'culprit' : undefined;
  if (culprit !== undefined) demands.set(culprit, between(random, 1200, 4000));
  const names = [...demands.keys()];
  const besideCulprit = cause === 'many' ? 64 : Math.floor(between(random, 1, 12));
  const shared =
    cause === 'alone'
      ? ['culprit']
      : [...names.slice(0, besideCulprit), ...(culprit ? [culprit] : [])];
  const others = names.filter((name) => !shared.includes(name));
  const sum = [...demands.values()].reduce((total, one) => total + one, 0);
  const ofShared = shared.reduce((total, name) => total + (demands.get(name) ?? 0), 0);
  return {
    demands,
    partitions: [shared, ...others.map((name) => [name])],
    served: cause === 'ramp' ? between(random, 0.1, 0.9) * Math.min(ofShared, 400) : partitionLimit,
    tableLimit: cause === 'table' ? sum * between(random, 0.2, 0.9) : Infinity,
    culprit,
  };
}

/** Plays an incident. @returns all keys that were hot at any time */
export function play(incident: Incident, random: Random): Set<string> {
  const heat = new Heat({ limits: { read: 3000, write: partitionLimit } });
  const hot = new Set<string>();
  const waiting = new Map<string, number>();
  for (let step = 0; step < steps.perSecond * steps.seconds; step++) {
    const now = (step * 1000) / steps.perSecond;
    let ofTable = incident.tableLimit / steps.perSecond;
    for (const names of shuffled(incident.partitions, random)) {
      let left = incident.served / steps.perSecond;
      for (const name of shuffled(requestsOf(names, incident, waiting), random)) {
        const scope: ThrottlingScope | undefined =
          left < unitsPerRequest ? 'key_range' : ofTable < unitsPerRequest ? 'table' : undefined;
        const partition = { index: 'table', unit: 'write', partition: name } as const;
        if (scope === undefined) {
          heat.used(partition, unitsPerRequest, now);
          left -= unitsPerRequest;
          ofTable -= unitsPerRequest;
        } else {
          heat.throttled(partition, { scope, reason: scope }, unitsPerRequest, now);
          waiting.set(name, (waiting.get(name) ?? 0) + retried);
        }
      }
    }
    if (step % steps.perSecond === 0) {
      heat.tick(now);
      for (const { partition } of heat.hot(now)) hot.add(partition);
    }
  }
  return hot;
}

/** The names of the keys, once for each request of this step and for each retry of a throttled one. */
function requestsOf(
  names: readonly string[],
  { demands }: Incident,
  waiting: Map<string, number>,
): string[] {
  return names.flatMap((name) => {
    const due =
      (demands.get(name) ?? 0) / steps.perSecond / unitsPerRequest +
      Math.min(waiting.get(name) ?? 0, 10);
    waiting.set(name, due - Math.floor(due));
    return Array.from({ length: Math.floor(due) }, () => name);
  });
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  return items
    .map((item) => [random(), item] as const)
    .sort(([left], [right]) => left - right)
    .map(([, item]) => item);
}

import { adviseOnPartition, adviseOnThrottling } from '@engawa/heat';
import { Problem } from '@engawa/errors';
import { until } from '@engawa/testing';
import { LimitedTable } from './limited-table.ts';
import type { LimitsInput } from '@engawa/dynamodb-simulator';
import type { PartitionHeat } from '@engawa/heat';
import type { Table } from '@engawa/table';

/** Units a second that a partition serves, for the simulator and for the heat. */
export const limit = 20;
const indexUnits = ['table', 'gsi1', 'gsi2'].flatMap((index) =>
  (['read', 'write'] as const).map((unit) => ({ index, unit })),
);
/** Requests that have to be throttled before an incident is judged. */
const throttledRequests = 30;

export interface Incident {
  limits?: LimitsInput;
  /** Before the limits apply. */
  prepare?: (table: Table) => Promise<unknown>;
  /** Loads, each sent one request after the other, without an end. */
  loads: readonly ((table: Table, count: number) => Promise<unknown>)[];
  /** `index unit key` of the key that causes the incident; none where the cause is elsewhere. */
  culprit?: string;
}

export interface Verdict {
  /** `index unit key`, of all keys that were hot at any time. */
  hot: string[];
  /** Codes of the advice for them. */
  advice: string[];
  /** Whether other keys were throttled far below their limit, and said to be so. */
  hasInnocents: boolean;
  /** Index and scope of all throttling, and the code of the advice. */
  throttling: string[];
}

/** Plays an incident until the culprit is hot and known to be throttled, and enough requests were. */
export async function play({ limits, prepare, loads, culprit }: Incident): Promise<Verdict> {
  const limited = await LimitedTable.open({ read: limit, write: limit });
  const { table, heat, simulator } = limited;
  const hot = new Map<string, PartitionHeat>();
  const below = new Set<string>();
  const throttling = new Set<string>();
  let isOver = false;
  const send = async (load: Incident['loads'][number]) => {
    for (let count = 0; !isOver; count++) await load(table, count).catch(refuseOthers);
  };
  try {
    await prepare?.(table);
    simulator.setLimits({ partition: { read: limit, write: limit }, burstSeconds: 1, ...limits });
    const sending = Promise.all(loads.map(send));
    const watching = until('the culprit to be named, and enough throttled requests', async () => {
      const now = performance.now();
      heat.tick(now);
      for (const one of heat.hot(now)) hot.set(nameOf(one), one);
      const known = indexUnits.flatMap((indexUnit) => limited.top(indexUnit));
      for (const one of known)
        if (codesOf(one).includes('throttled-below-limit')) below.add(nameOf(one));
      for (const { index, scope, unit } of heat.throttling(now))
        throttling.add(
          `${index} ${scope} ${adviseOnThrottling({ index, unit, scope, reason: scope }).code}`,
        );
      const named = culprit === undefined ? undefined : hot.get(culprit);
      const isNamed = culprit === undefined || isThrottled(named);
      return isNamed && (await limited.throttled({})) >= throttledRequests;
    });
    await Promise.race([watching, sending]); // a load that fails ends the incident
    isOver = true;
    await sending;
    return {
      hot: [...hot.keys()],
      advice: [...hot.values()].flatMap(codesOf),
      hasInnocents: [...below].some((name) => !hot.has(name)),
      throttling: [...throttling].sort(),
    };
  } finally {
    isOver = true;
    await limited.close();
  }
}

/** Throttled requests are what an incident is about. */
function refuseOthers(error: unknown): void {
  if (!(error instanceof Problem) || error.code !== 'table-throttled') throw error;
}

function isThrottled(heat: PartitionHeat | undefined): boolean {
  return Object.keys(heat?.throttlesPerSecond ?? {}).length > 0;
}

function codesOf(heat: PartitionHeat): string[] {
  return adviseOnPartition({ heat, shards: 1, grows: true }).map(({ code }) => code);
}

function nameOf({ index, unit, partition }: PartitionHeat): string {
  return `${index} ${unit} ${partition}`;
}

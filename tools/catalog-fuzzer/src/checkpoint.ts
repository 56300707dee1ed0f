import { until } from '@engawa/testing';
import { auditRows, isSettled, readTable } from './audit-table.ts';
import { auditUnique } from './audit-unique.ts';
import { send } from './client.ts';
import { compare } from './compare.ts';
import { compareIndexes } from './compare-indexes.ts';
import { readEntity } from './read-entity.ts';
import { namesIn } from './report.ts';
import { keyOf, uniqueAttribute } from './types.ts';
import type { StoredEntities } from './compare.ts';
import type { Ledger } from './ledger.ts';
import type { Report } from './report.ts';
import type { CatalogStack } from './catalog-stack.ts';

interface CheckpointOptions {
  stack: CatalogStack;
  ledger: Ledger;
  report: Report;
  /** Whether deletions have to be complete, too. */
  settled: 'all' | 'most';
}

/** Milliseconds; a deletion is complete after two minutes, or later if its replica was killed. */
const settleMs = 600_000;

/**
 * Compares the stored data with the acknowledged writes while no request is in flight, and
 * continues from the stored data.
 */
export async function checkpoint(options: CheckpointOptions): Promise<void> {
  const { stack, ledger, report, settled } = options;
  await until(
    'writes and deletions to be settled',
    async () => isSettled(await readTable(stack.tableEndpoint, stack.tableName), settled),
    { stallMs: settleMs },
  );
  const searches = new Set<string>();
  for (const type of ['Artist', 'Track']) {
    for (const search of await builtSearches(stack.urlOf(0), type))
      searches.add(`${type}/${search}`);
  }
  const everything: StoredEntities = new Map();
  for (const expected of ledger.entities) {
    const { name } = expected;
    const { found, answer, read } = await readEntity(stack.urlOf(0), name);
    if (found === undefined) {
      report.inconsistency(`${keyOf(name)} cannot be read: ${JSON.stringify(answer.body)}`);
      continue;
    }
    const wrong = compare(expected, found, { ledger, read, isQuiet: true });
    if (wrong !== undefined) await tell(options, `${keyOf(name)}: ${wrong}`);
    everything.set(keyOf(name), { name, ...found });
  }
  for (let replica = 0; replica < stack.replicas; replica++) {
    await compareIndexes(stack.urlOf(replica), everything, { searches, report });
  }
  const rows = await readTable(stack.tableEndpoint, stack.tableName);
  const wrongRows = [...auditRows(rows, searches), ...auditUnique(rows, uniqueAttribute)];
  for (const wrong of wrongRows) report.inconsistency(wrong);
  for (const { name, state, score } of everything.values()) {
    ledger.adopt(name, state, score, performance.now());
  }
  report.count('checkpoints');
}

/** Adds all items of the affected entities. */
async function tell({ stack, report }: CheckpointOptions, wrong: string): Promise<void> {
  report.inconsistency(wrong);
  const names = namesIn(wrong);
  for (const { item } of await readTable(stack.tableEndpoint, stack.tableName)) {
    const text = JSON.stringify(item);
    if (names.some((name) => text.includes(name))) report.evidence(text);
  }
}

interface TypeResponse {
  searches: { name: string; state: string }[];
  rankings: { name: string; state: string }[];
  build?: { done: number };
}

/** Waits until no search of a type is being built. @returns the names of its searches */
async function builtSearches(url: string, type: string): Promise<string[]> {
  const read = async () =>
    (await send(url, { method: 'GET', path: `/v1/types/${type}` })).body as unknown as TypeResponse;
  const isReady = ({ searches, rankings, build }: TypeResponse) =>
    build === undefined && [...searches, ...rankings].every(({ state }) => state === 'ready');
  const shown = await until(`the searches of ${type} to be built`, async () => {
    const type = await read();
    return isReady(type) ? type : undefined;
  });
  return shown.searches.map(({ name }) => name);
}

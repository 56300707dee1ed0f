import { Decimal } from '@engawa/model';
import { openBeforeAll, scaled, until } from '@engawa/testing';
import { startTable } from '../table.ts';
import { startChild } from './child-replica.ts';
import { putTexts } from './many-texts.ts';
import { describeOnOpenSearch } from './opensearch-engine.ts';
import type { ScalarValue } from '@engawa/model';
import type { ChildReplica } from './child-replica.ts';

/** ADR 0060 measures 100,000: TEST_SCALE=3. */
const entities = scaled(34_000);
/** Heap of Node.js within the chart's limit of 512 Mi. */
const heapMb = 256;
const limitBytes = 512 * 1024 * 1024;
const type = {
  attributes: [
    { name: 'name', kind: 'text' },
    { name: 'genre', kind: 'text' },
    { name: 'released', kind: 'number' },
    { name: 'size', kind: 'number' },
  ],
  fullText: ['name'],
  filters: [{ attribute: 'genre' }, { attribute: 'released' }, { attribute: 'size' }],
};
const listed = 'type=Many';
const questions = {
  'by id': listed,
  q: 'q=lamp&type=Many',
  'q, total': 'q=lamp&type=Many&total=true',
  'q, 2 filters': 'q=lamp&type=Many&filter=genre=g3&filter=released>=1990',
  'q, filter, order, total, 2 facets':
    'q=lamp&type=Many&filter=released>=1990&order=-size&total=true&facet=genre&facet=released',
  'filter, order': 'type=Many&filter=genre=g3&order=-size',
  order: 'type=Many&order=size',
  'order, total, 2 facets': 'type=Many&order=released&total=true&facet=genre&facet=released',
  'one of all sizes': `type=Many&filter=size=${sizeOf(27_777).digits}`,
};

function sizeOf(number: number): Decimal {
  return new Decimal(
    `1234567890123456789012345678901.${String(1_000_000 + ((number * 7919) % 999_983)).slice(1)}1`,
  );
}

function valuesOf(number: number): Map<string, ScalarValue> {
  return new Map<string, ScalarValue>([
    ['genre', `g${number % 20}`],
    ['released', 1960 + (number % 60)],
    ['size', sizeOf(number)],
  ]);
}

describe(`${entities} entities with three filters`, () => {
  const started = openBeforeAll(startTable);
  beforeAll(() => putTexts(started, entities, valuesOf));

  it('many values are indexed and searched in SQLite within the memory of the chart', async () => {
    const bytes = (replica: ChildReplica) => replica.metric('engawa_full_text_bytes');
    await measure('SQLite', {}, bytes);
  });

  describeOnOpenSearch('in a real OpenSearch', (engine) => {
    afterAll(() => engine.removeIndexes());

    it('many values are indexed and searched in OpenSearch', async () => {
      const environment = { SEARCH_URL: engine.url, SEARCH_INDEX_PREFIX: engine.prefix };
      await measure('OpenSearch', environment, async () => {
        const stats = await engine.ask('GET', `${engine.prefix}-*/_stats/store`);
        const { _all } = stats as { _all: { primaries: { store: { size_in_bytes: number } } } };
        return _all.primaries.store.size_in_bytes;
      });
    });
  });

  async function measure(
    engine: string,
    environment: Record<string, string>,
    bytes: (replica: ChildReplica) => Promise<number>,
  ): Promise<void> {
    const replica = await startChild(started, { heapMb, environment });
    try {
      let maxRss = 0;
      const build = async (count: number) => {
        await until(
          `build ${count}`,
          () => isBuilt(replica, count, (rss) => (maxRss = Math.max(maxRss, rss))),
          {
            progress: () => replica.metric('engawa_full_text_changes_total'),
          },
        );
        return replica.metric('engawa_full_text_rebuild_seconds_sum');
      };
      const built = await build(1);
      await fetch(`${replica.api}/v1/types/Many`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(type),
      });
      const times = await timesOf(replica);
      const size = await bytes(replica);
      await fetch(`${replica.api}/v1/search/rebuild`, { method: 'POST' });
      const rebuilt = (await build(2)) - built;
      expect(maxRss).toBeLessThan(limitBytes);
      const measured = { engine, entities, built, rebuilt, size, maxRss, times };
      process.stdout.write(`${JSON.stringify(measured, undefined, 1)}\n`);
    } finally {
      await replica.kill('SIGTERM');
    }
  }
});

async function isBuilt(
  replica: ChildReplica,
  count: number,
  poll: (rss: number) => unknown,
): Promise<boolean> {
  if (replica.ended() !== undefined) throw new Error(`it has ended: ${replica.ended()}`);
  poll(await replica.metric('process_resident_memory_bytes'));
  return (await replica.metric('engawa_full_text_rebuild_seconds_count')) >= count;
}

/** The median of nine runs in milliseconds. */
async function timesOf(replica: ChildReplica): Promise<Record<string, string>> {
  const times: Record<string, string> = {};
  for (const [name, question] of Object.entries(questions)) {
    const taken: number[] = [];
    let body: { items: unknown[]; total?: number } = { items: [] };
    for (let run = 0; run < 9; run++) {
      const began = performance.now();
      const answer = await fetch(`${replica.api}/v1/search?${question}`);
      body = (await answer.json()) as typeof body;
      taken.push(performance.now() - began);
      expect([question, answer.status]).toEqual([question, 200]);
    }
    const median = taken.toSorted((left, right) => left - right)[4] ?? 0;
    times[name] = `${median.toFixed(0)} ms, ${body.items.length} of ${body.total ?? '?'}`;
  }
  return times;
}

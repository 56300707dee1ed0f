import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isThorough, openBeforeAll, someOrAll } from '@engawa/testing';
import { aheadPatterns } from './ahead-patterns.ts';
import { browsePatterns } from './browse-patterns.ts';
import { catalogChangePatterns } from './catalog-change-patterns.ts';
import { comparison } from './comparison-patterns.ts';
import { constraintPatterns } from './constraint-patterns.ts';
import { catalogPatterns } from './catalog-patterns.ts';
import { filterPatterns } from './filter-patterns.ts';
import { groupChangePatterns, groupPatterns, includePatterns } from './group-patterns.ts';
import { changePatterns } from './change-patterns.ts';
import { correctionPatterns } from './correction-patterns.ts';
import { large, small } from './seed-table.ts';
import { MeteredServices } from './metered-services.ts';
import { historyPatterns } from './history-patterns.ts';
import { ingestionPatterns } from './ingestion-patterns.ts';
import { livePatterns } from './live-patterns.ts';
import { outagePatterns } from './outage-patterns.ts';
import { periodChangePatterns, periodPatterns } from './period-patterns.ts';
import { readingPatterns } from './reading-patterns.ts';
import { sectionIn, withSection } from './reference.ts';
import { registryPatterns } from './registry-patterns.ts';
import { rollupPatterns } from './rollup-patterns.ts';
import type { Cost } from './cost.ts';
import type { Comparison, Pattern } from './pattern.ts';

const document = resolve(__dirname, '../../../../docs/reference/table.md');

// In this order: reads first, then writes that change their results.
const groups: Record<string, Pattern[] | Comparison> = {
  Readings: [...readingPatterns, ...aheadPatterns],
  Aggregates: [...rollupPatterns, ...outagePatterns],
  'After 3,000 moves of a device': historyPatterns,
  'Long histories and many fields': comparison,
  'Devices, places and rooms': registryPatterns,
  'The catalog': [...catalogPatterns, ...groupPatterns, ...periodPatterns, ...includePatterns],
  'Items of the table': browsePatterns,
  Ingestion: [...ingestionPatterns, ...livePatterns],
  'Changes of devices, places and rooms': changePatterns,
  'Corrections of readings': correctionPatterns,
  'Changes in the catalog': [
    ...catalogChangePatterns,
    ...constraintPatterns,
    ...groupChangePatterns,
    ...periodChangePatterns,
    ...filterPatterns,
  ],
};
const patterns = Object.values(groups).flatMap((group) =>
  'rows' in group ? group.rows.flatMap((row) => row.patterns) : group,
);

/** By size and the number of the pattern. */
const costs = { small: new Map<number, Cost>(), large: new Map<number, Cost>() };

const sizes = someOrAll(
  [['small', small] as const],
  [['small', small] as const, ['large', large] as const],
);

describe.each(sizes)('with a %s table, requests are those of the design:', (name, size) => {
  const services = openBeforeAll(() => MeteredServices.start(size));

  it.each(patterns.map((pattern, index) => ({ ...pattern, index })))(
    '$ask',
    async ({ prepare, run, gives, expected, index }) => {
      await prepare?.(services);
      const { result, cost } = await services.costOf(expected, () => run(services));
      costs[name].set(index, cost);
      expect(result).toEqual(gives);
      expect(cost.requests).toEqual(expected);
    },
  );
});

(isThorough ? it : it.skip)(
  'a table with 100 times the data costs no more requests and units (npm run test:all)',
  () => {
    expect(costs.small.size).toBe(patterns.length);
    for (const [index, { ask }] of patterns.entries()) {
      expect({ ask, ...costs.large.get(index) }).toEqual({ ask, ...costs.small.get(index) });
    }
  },
);

it('bookkeeping takes at most 5 % of the units of one reading per minute', () => {
  const index = patterns.findIndex(({ ask }) => ask.startsWith('an hour of a device'));
  const { table = 0, gsi1 = 0, gsi2 = 0 } = costs.small.get(index)?.written ?? {};
  const readings = 60;
  expect(table).toBeGreaterThanOrEqual(readings);
  expect((table + gsi1 + gsi2) / readings).toBeLessThanOrEqual(1.05);
});

it('docs/reference/table.md has the measured costs (else: run this with UPDATE_REFERENCE=1)', () => {
  const measured = new Map(patterns.map((pattern, index) => [pattern, costs.small.get(index)]));
  const text = readFileSync(document, 'utf8');
  const updated = withSection(text, groups, measured);
  if (process.env['UPDATE_REFERENCE'] === '1') writeFileSync(document, updated);
  else expect(sectionIn(text)).toBe(sectionIn(updated));
});

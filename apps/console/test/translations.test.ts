import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { problemTypes } from '@engawa/errors';
import { adviceCodes, partitionKinds, reasonCodes } from '@engawa/heat';
import { tableFamilies } from '@engawa/keys';
import { translate } from '../web/i18n/translations.ts';
import { problemsJa } from '../web/i18n/problems-ja.ts';
import { detailsJa } from '../web/pages/dead-letters/details-ja.ts';
import { alertsJa } from '../web/pages/health/alerts-ja.ts';
import { adviceJa } from '../web/pages/heat/advice-ja.ts';
import { descriptionsJa, writersJa } from '../web/pages/heat/kinds-ja.ts';
import { reasonsJa } from '../web/pages/heat/reasons-ja.ts';
import { priceJa } from '../web/pages/table/items/price-ja.ts';
import { meaningsJa } from '../web/pages/table/families/meanings-ja.ts';
import type { Translations } from '../web/i18n/translations.ts';

/** Two English words in a row; names of settings, keys and routes are no sentences. */
const english = /[A-Za-z]{2,}[,.]? [a-z]{2,}/;
const japanese = /[\u3040-\u30ff\u4e00-\u9fff]/;

const runbooks = readdirSync(join(__dirname, '../../../docs/runbooks'))
  .map((file) => file.replace('.md', ''))
  .filter((name) => name.startsWith('Engawa'));

const values = {
  ...{ index: 'gsi1', unit: 'write', shards: 2, maxShards: 64, share: 0.9, perSecond: 2 },
  ...{
    field: '"x"',
    attribute: 'time',
    time: '2026-11-26T00:00:00Z',
    bytes: 9,
    readings: 2,
    max: 5,
    kind: 'meter',
  },
  ...{ items: 10, estimatedUnits: 500, usualUnits: 1.5, maxItemBytes: 4096, maxPageBytes: 1048576 },
  ...{ alias: '7', messageType: 'NDATA', levels: 3, component: 'query', pod: 'query-0' },
} as const;

describe.each<[string, Translations<string, never>, readonly string[]]>([
  ['advice', adviceJa, adviceCodes],
  ['reasons of heat', reasonsJa, reasonCodes],
  ['descriptions of partition kinds', descriptionsJa, partitionKinds],
  ['meanings of key families', meaningsJa, tableFamilies.map(({ name }) => name)],
  ['titles of problems', problemsJa, Object.keys(problemTypes)],
  ['prices', priceJa, ['bounded-by-page', 'bounded-by-items']],
  ['alerts', alertsJa, runbooks],
  ['details of dead letters', detailsJa, Object.keys(detailsJa)],
])('%s', (_what, catalogue, codes) => {
  it('have a Japanese text for every code of the services, and no other', () => {
    expect(Object.keys(catalogue).sort()).toEqual(codes.toSorted());
  });

  it.each(codes)('%s is Japanese', (code) => {
    const text = translate<unknown>(catalogue as Translations<string, unknown>, code, values);
    expect(text).toMatch(japanese);
    expect(text).not.toMatch(english);
    expect(text).not.toContain('undefined');
  });
});

it('names the writers of each kind', () => {
  expect(Object.keys(writersJa).sort()).toEqual(partitionKinds.toSorted());
});

it('has no text for a code of a newer service', () => {
  expect(translate(descriptionsJa, 'of-a-later-version', undefined)).toBeUndefined();
  expect(translate(descriptionsJa, 'toString', undefined)).toBeUndefined();
});

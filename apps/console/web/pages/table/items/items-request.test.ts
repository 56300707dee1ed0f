import { formOf, itemsAddress, requestOf } from './items-request.ts';
import { fixedBeginning, matchesFamily } from '../families/family-keys.ts';
import { rawText } from './raw-text.ts';
import type { Family } from '../families/family-keys.ts';

function requestAt(address: string) {
  return requestOf(formOf(new URL(address, 'http://console').searchParams));
}

describe('the request of a link', () => {
  it('is one partition of the table, without a condition by default', () => {
    expect(requestAt('/table?pk=DEVICE%23a')).toEqual({
      ...{ index: 'table', pk: 'DEVICE#a', order: 'asc', limit: 20 },
    });
    expect(requestAt('/table?index=gsi1')).toBeUndefined();
  });

  it('has the condition that is shown, and no value of another one', () => {
    const values = 'sk=x&skPrefix=y&skFrom=a&skTo=b';
    expect(requestAt(`/table?pk=p&condition=sk&${values}`)).toMatchObject({ sk: 'x' });
    expect(requestAt(`/table?pk=p&condition=skPrefix&${values}`)).not.toHaveProperty('sk');
    const range = requestAt(`/table?pk=p&condition=range&${values}`);
    expect(range).toMatchObject({ skFrom: 'a', skTo: 'b' });
    expect(range).not.toHaveProperty('skPrefix');
    expect(requestAt(`/table?pk=p&condition=any&${values}`)).not.toHaveProperty('sk');
  });

  it('implies the condition of its value', () => {
    const address = itemsAddress({ pk: 'E#Song#1', sk: 'E#Song#1' });
    expect(requestAt(address)).toMatchObject({ pk: 'E#Song#1', sk: 'E#Song#1' });
    expect(requestAt('/table?pk=p&skTo=b')).toMatchObject({ skTo: 'b' });
  });

  it('has a limit and an order that the form has', () => {
    expect(requestAt('/table?pk=p&limit=7&order=up')).toMatchObject({ limit: 20, order: 'asc' });
    expect(requestAt('/table?pk=p&limit=50&order=desc')).toMatchObject({
      limit: 50,
      order: 'desc',
    });
  });
});

describe('families', () => {
  it.each([
    ['DEVICE#<device>[#<shard>]', 'DEVICE#'],
    ['ROOM#<place>[#<room>]', 'ROOM#'],
    ['TYPE', 'TYPE'],
    ['<kind>#<ids>…', ''],
  ])('of the form %s begin with "%s"', (form, beginning) => {
    expect(fixedBeginning(form)).toBe(beginning);
  });

  it('match all words of a text', () => {
    const family: Family = {
      ...{ name: 'block', index: 'table', pk: 'DEVICE#<device>', sk: '#TS#<time>#<name>' },
      ...{ kinds: ['block'], meaning: 'A block of readings.', writtenBy: ['ingestion'] },
      isComplete: true,
    };
    expect(matchesFamily(family, 'READINGS device')).toBe(true);
    expect(matchesFamily(family, '')).toBe(true);
    expect(matchesFamily(family, 'readings catalog')).toBe(false);
  });
});

it('writes raw attributes by name, with a line for each scalar', () => {
  const attributes = {
    pk: { S: 'a "quoted" {key}' },
    map: { M: { on: { BOOL: true }, list: { L: [{ N: '1' }] } } },
  };
  expect(
    rawText(attributes)
      .split('\n')
      .map((line) => line.trim()),
  ).toEqual([
    '{',
    '"map": {',
    '"M": {',
    '"on": { "BOOL": true },',
    '"list": {',
    '"L": [',
    '{ "N": "1" }',
    ']',
    '}',
    '}',
    '},',
    '"pk": { "S": "a \\"quoted\\" {key}" }',
    '}',
  ]);
});

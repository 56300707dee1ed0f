import { orphanedItems } from '../../src/oracles/whole-table.ts';
import type { Item } from '@engawa/dynamodb-simulator/rules';

const known = { devices: new Set(['lamp']), isType: (name: string) => name === 'Track' };
const item = (pk: string, sk: string, more: Item = {}): Item => ({
  pk: { S: pk },
  sk: { S: sk },
  ...more,
});
const version = { N: '1' };
const ttl = { N: '1767268800' };
const there = [
  item('DEVICE#lamp', 'DEVICE#lamp', { version }),
  item('E#Track#p', 'E#Track#p', { version }),
];

describe('the table at the end of a run', () => {
  it.each([
    item('DEVICE#lamp', '#AGG#PT1H#2026-01-01T00:00:00.000Z'),
    item('E#Track#p', 'FULLTEXT'),
    item('E#Track#q', 'FULLTEXT', { ttl }),
    item('DEVICE#gone', 'DEVICE#gone', { erasedAt: { N: '1767268800000' }, ttl }),
    item('TYPE', 'TYPE#Track'),
    item('SHARDS', 'LIST#DEVICE'),
    item('DLQ#2026-01-01#0', '01KDVDNA004F9ZK7M1A9KEYZ71', { ttl }),
  ])('may contain %j', (one) => {
    expect(orphanedItems([...there, one], known)).toEqual([]);
  });

  it.each([
    item('DEVICE#door', 'DEVICE#door', { version }),
    item('DEVICE#gone', 'DEVICE#gone', { deletedAt: { N: '1767268800000' } }),
    item('DEVICE#door', '#AGG#PT1H#2026-01-01T00:00:00.000Z'),
    item('E#Track#q', 'FULLTEXT'),
    item('E#Track#q', 'F#Track#byName'),
    item('UNIQUE#Track#code#0', 'OWNER', { owner: { S: 'q' } }),
    item('PLACE#house', 'PLACE#house', { version }),
    item('ERASURES', 'DEVICE#lamp'),
    item('TASKS#CATALOG', 'DETACH#Track#q#01J'),
    item('DLQ#2026-01-01#0', '01KDVDNA004F9ZK7M1A9KEYZ71'),
    item('SOMETHING', 'ELSE'),
  ])('may not contain %j', (one) => {
    expect(orphanedItems([...there, one], known)).toHaveLength(1);
  });
});

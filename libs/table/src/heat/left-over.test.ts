import { isFull, leftOver } from './left-over.ts';
import type { Charges } from '../items/charged-part.ts';

const read: Charges = { unit: 'read', least: 0.5, parts: [] };
const consumed = (units: number) => [{ index: 'table', unit: 'read' as const, units }];

it('finds what came back of each kind of batch', () => {
  const key = { pk: 'p', sk: 's' };
  const attributes = { pk: { S: 'p' }, sk: { S: 's' } };
  const put = leftOver({ UnprocessedItems: { t: [{ PutRequest: { Item: attributes } }] } });
  expect(put?.size).toBe(1);
  const deletion = { DeleteRequest: { Key: attributes } };
  expect(leftOver({ UnprocessedItems: { t: [deletion] } })).toEqual(put);
  expect(leftOver({ UnprocessedKeys: { t: { Keys: [key] } } })).toEqual(put);
  expect(leftOver({ UnprocessedItems: {}, UnprocessedKeys: { t: { Keys: [] } } })).toBeUndefined();
});

it('takes what is left of a full answer for no throttling', () => {
  // Units of so many megabytes, where one is 8 KB; the answer ends before the item that goes beyond 16 MB.
  const units = (megabytes: number) => consumed(megabytes * 128);
  expect(isFull(read, units(15.7))).toBe(true);
  expect(isFull(read, units(14))).toBe(false);
  expect(isFull({ ...read, least: 1 }, units(15.7))).toBe(false);
  expect(isFull({ ...read, unit: 'write' }, units(15.7))).toBe(false);
});

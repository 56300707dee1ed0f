import { isFullResponse, unprocessedParts } from './unprocessed-parts.ts';
import type { RequestCharges } from '../items/charged-part.ts';

const read: RequestCharges = { unit: 'read', minUnits: 0.5, parts: [] };
const consumed = (units: number) => [{ index: 'table', unit: 'read' as const, units }];

it('finds the unprocessed parts in the response of each kind of batch', () => {
  const attributes = { pk: { S: 'p' }, sk: { S: 's' } };
  const put = unprocessedParts({ UnprocessedItems: { t: [{ PutRequest: { Item: attributes } }] } });
  expect(put?.size).toBe(1);
  const deletion = { DeleteRequest: { Key: attributes } };
  expect(unprocessedParts({ UnprocessedItems: { t: [deletion] } })).toEqual(put);
  expect(unprocessedParts({ UnprocessedKeys: { t: { Keys: [attributes] } } })).toEqual(put);
  expect(
    unprocessedParts({ UnprocessedItems: {}, UnprocessedKeys: { t: { Keys: [] } } }),
  ).toBeUndefined();
});

it('does not report keys left out of a full response as throttled', () => {
  // Units of items of this many megabytes, at one unit per 8 KB; the response ends before the item that exceeds 16 MB.
  const units = (megabytes: number) => consumed(megabytes * 128);
  expect(isFullResponse(read, units(15.7))).toBe(true);
  expect(isFullResponse(read, units(14))).toBe(false);
  expect(isFullResponse({ ...read, minUnits: 1 }, units(15.7))).toBe(false);
  expect(isFullResponse({ ...read, unit: 'write' }, units(15.7))).toBe(false);
});

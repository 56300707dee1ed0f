import { compare } from './oracle.ts';

it.each([
  [[1, 2, 3], [3, 2, 1], { sent: 3, missing: 0, surplus: 0 }],
  [[1, 2, 3], [1, 3], { sent: 3, missing: 1, surplus: 0 }],
  [[1, 2, 3], [1, 2, 2, 3], { sent: 3, missing: 0, surplus: 1 }],
  [[1, 2, 3], [1, 2, 4], { sent: 3, missing: 1, surplus: 1 }],
  [[1, 2], [], { sent: 2, missing: 2, surplus: 0 }],
])('compares %j with %j', (published, found, readingCounts) => {
  expect(compare(published, found)).toEqual(readingCounts);
});

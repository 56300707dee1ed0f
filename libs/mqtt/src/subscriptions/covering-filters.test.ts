import { covers, withoutCovered } from './covering-filters.ts';

describe('a filter', () => {
  it.each([
    ['#', 'a/b'],
    ['#', '+/+'],
    ['a/#', 'a'],
    ['a/#', 'a/#'],
    ['a/#', 'a/+/b'],
    ['a/+', 'a/b'],
    ['+/+', '+/b'],
    ['spBv1.0/+/+/+', 'spBv1.0/+/NBIRTH/+'],
    ['$SYS/#', '$SYS/a'],
  ])('%s covers %s', (wide, narrow) => expect(covers(wide, narrow)).toBe(true));

  it.each([
    ['a/+', 'a/#'],
    ['a/b', 'a/+'],
    ['a/+', 'a/b/c'],
    ['a/+', 'a'],
    ['a/+/c', 'a/b/+'],
    ['#', '$SYS/a'],
    ['+/a', '$SYS/a'],
    ['#', '$share/group/a'],
  ])('%s does not cover %s', (wide, narrow) => expect(covers(wide, narrow)).toBe(false));
});

it('filters that another one covers are left out, and equal ones are subscribed to once', () => {
  const filters = ['a/+', 'a/b', 'c/#', 'c/+/d', 'a/+', '$share/g/x/+', 'x/y'];
  expect(withoutCovered(filters)).toEqual(['a/+', 'c/#', '$share/g/x/+', 'x/y']);
});

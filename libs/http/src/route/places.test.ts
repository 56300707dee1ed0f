import fc from 'fast-check';
import { placesOf } from './places.ts';

const allows = (patterns: string[], place: string) => placesOf(patterns).allows(place);

describe('the places of a caller', () => {
  it.each([
    ['home-1', 'home-1', true],
    ['home-1', 'home-10', false],
    ['home-1', 'Home-1', false],
    ['home-*', 'home-', true],
    ['home-*', 'home-1', true],
    ['home-*', 'my-home-1', false],
    ['*-1', 'home-1', true],
    ['*-1', 'home-12', false],
    ['a*b*c', 'abc', true],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['ab*ba', 'aba', false],
    ['a**', 'a', true],
    ['h.me', 'home', false],
    ['\u0065\u0301', '\u00e9', true],
  ])('%j fits %j: %j', (pattern, place, fits) => {
    expect(allows([pattern], place)).toBe(fits);
  });

  it('match any of the patterns, and none without a pattern', () => {
    expect(allows(['a', 'b-*'], 'b-1')).toBe(true);
    expect(allows([], 'a')).toBe(false);
    expect(placesOf([]).isRestricted).toBe(true);
  });

  it('do not match a resource without a place', () => {
    expect(placesOf(['a', '**']).allows(undefined)).toBe(false);
  });

  it('match all places for a single star', () => {
    const places = placesOf(['a', '*']);
    expect([places.isRestricted, places.allows(undefined)]).toEqual([false, true]);
  });

  it('match like the equivalent regular expression, for any pattern', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '*'), minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(text, text, (pattern, place) => {
        fc.pre(pattern !== '*');
        const expression = new RegExp(`^${pattern.replaceAll('*', '[^]*')}$`);
        expect(allows([pattern], place)).toBe(expression.test(place));
      }),
    );
  });
});

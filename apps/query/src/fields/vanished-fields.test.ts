import { withoutVanished } from './vanished-fields.ts';
import type { Fields } from '@engawa/model';
import type { FoundField } from './vanished-fields.ts';

/** The names of the fields that remain after these readings, the oldest first. */
function after(...readings: Fields[]): string[] {
  const found = new Map<string, FoundField>();
  readings.forEach((fields, time) => {
    for (const [name, value] of Object.entries(fields)) {
      found.set(name, { name, value, reading: { time, fields } });
    }
  });
  return withoutVanished(found).map(({ name }) => name);
}

describe('the fields of a list or a map', () => {
  it.each<[string, Fields[], string[]]>([
    ['is emptied', [{ 'f.0': 1, 'f.1': 2, x: 1 }, { f: null }], ['x', 'f']],
    ['is filled again', [{ f: null }, { 'f.0': 1 }], ['f.0']],
    ['holds an empty map', [{ 'a.b.c': 1 }, { 'a.b': null }], ['a.b']],
    ['becomes shorter', [{ 'f.0': 1, 'f.1': 2, 'f.2': 3 }, { 'f.0': 4 }], ['f.0']],
    ['becomes longer', [{ 'f.0': 1 }, { 'f.0': 1, 'f.1': 2 }], ['f.0', 'f.1']],
    ['has maps', [{ 'f.0.a': 1, 'f.1.a': 2 }, { 'f.0.a': 1 }], ['f.0.a']],
    [
      'is reported in parts',
      [{ 'f.1.a': 1 }, { 'f.0.a': 1 }, { 'f.0.b': 2 }],
      ['f.1.a', 'f.0.a', 'f.0.b'],
    ],
    ['has no value now', [{ 'm.a': 1 }, { 'm.a': null }], ['m.a']],
    ['has a value of its own', [{ 'm.a': 1 }, { m: 5 }], ['m.a', 'm']],
    ['is not the one with the same beginning', [{ 'ab.0': 1 }, { a: null }], ['ab.0', 'a']],
  ])('that %s', (_name, readings, expected) => {
    expect(after(...readings)).toEqual(expected);
  });
});

import { sharedTypes } from './shared-types.ts';

const id = { name: 'Id', source: 'export type Id = string;' };

it('are those that several services have', () => {
  const own = { name: 'Place', source: 'export type Place = { id: Id };' };
  expect(sharedTypes([id, own, { ...id }])).toEqual(new Map([['Id', id.source]]));
});

it('refuses different types of one name', () => {
  const other = { ...id, source: 'export type Id = number;' };
  expect(() => sharedTypes([id, other])).toThrow('different types called Id');
});

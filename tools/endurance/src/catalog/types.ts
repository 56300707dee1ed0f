/** Of few values, so that writers want the same. */
export const uniqueAttribute = 'code';

/** What the fuzzer's entities are: everything that has rows beside the entity's own item. */
export const artistType = {
  attributes: [
    { name: 'name', kind: 'text', required: true },
    { name: 'write', kind: 'text' },
    { name: uniqueAttribute, kind: 'text', unique: true },
    { name: 'plays', kind: 'number' },
  ],
  searches: [{ name: 'byName', parts: [{ attribute: 'name', as: 'collated' }] }],
  rankings: [{ name: 'byPlays', attribute: 'plays', direction: 'descending' }],
  fullText: ['name'],
};

export const trackType = {
  attributes: [
    { name: 'name', kind: 'text', required: true },
    { name: 'write', kind: 'text' },
    { name: uniqueAttribute, kind: 'text', unique: true },
  ],
  relations: [
    { name: 'artist', to: 'Artist' },
    { name: 'featuring', to: 'Artist', many: true },
  ],
  searches: [
    { name: 'byName', parts: [{ attribute: 'name', as: 'collated' }] },
    { name: 'byArtist', parts: [{ relation: 'artist' }, { attribute: 'name', as: 'text' }] },
  ],
  fullText: ['name'],
};

/** A search that comes and goes while entities are written. */
export const comingAndGoing = {
  name: 'byWrite',
  parts: [{ attribute: 'write', as: 'text' }],
};

export type TypeName = 'Artist' | 'Track';

export interface Name {
  type: TypeName;
  id: string;
}

export const keyOf = ({ type, id }: Name): string => `${type}/${id}`;

const perWriter = 20;

/** The entities that a writer alone creates, replaces and deletes; others relate to them and count them up. */
export function ownNames(writer: number): Name[] {
  return (['Artist', 'Track'] as const).flatMap((type) =>
    Array.from({ length: perWriter }, (_, index) => ({
      type,
      id: `${type.toLowerCase()}-${writer}-${String(index).padStart(2, '0')}`,
    })),
  );
}

/** An attribute with few values, so that writers conflict. */
export const uniqueAttribute = 'code';

/** Types of the fuzzer's entities, with every feature that has its own rows. */
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

/** A search that is declared and removed while entities are written. */
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

/**
 * The entities that one writer creates, replaces and deletes; other writers relate to them and
 * increment their scores.
 */
export function ownNames(writer: number): Name[] {
  return (['Artist', 'Track'] as const).flatMap((type) =>
    Array.from({ length: perWriter }, (_, index) => ({
      type,
      id: `${type.toLowerCase()}-${writer}-${String(index).padStart(2, '0')}`,
    })),
  );
}

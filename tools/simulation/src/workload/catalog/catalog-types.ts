import type { EntityName } from '../../oracles/entities-ledger.ts';

/** The types that users declare, with all features that write rows beside an entity's own item. */
const artist = {
  attributes: [
    { name: 'name', kind: 'text', required: true },
    { name: 'write', kind: 'text' },
    { name: 'code', kind: 'text', unique: true },
    { name: 'plays', kind: 'number' },
  ],
  searches: [{ name: 'byName', parts: [{ attribute: 'name', as: 'collated' }] }],
  rankings: [{ name: 'byPlays', attribute: 'plays', direction: 'descending' }],
  fullText: ['name'],
};

const track = {
  attributes: [
    { name: 'name', kind: 'text', required: true },
    { name: 'write', kind: 'text' },
    { name: 'code', kind: 'text', unique: true },
    { name: 'released', kind: 'number' },
    { name: 'tags', kind: 'set', of: 'text' },
  ],
  relations: [
    { name: 'artist', to: 'Artist' },
    { name: 'featuring', to: 'Artist', many: true },
  ],
  searches: [
    { name: 'byName', parts: [{ attribute: 'name', as: 'collated' }] },
    { name: 'byArtist', parts: [{ relation: 'artist' }, { attribute: 'name', as: 'text' }] },
    {
      name: 'byTag',
      parts: [
        { attribute: 'tags', as: 'text' },
        { attribute: 'released', as: 'number' },
      ],
    },
  ],
  rankings: [{ name: 'ofArtist', attribute: 'released', within: 'artist' }],
  fullText: ['name'],
};

/** A search that is added and removed while entities are written. */
const comingAndGoing = { name: 'byWrite', parts: [{ attribute: 'write', as: 'text' }] };

export const trackType = (hasMore: boolean) =>
  hasMore ? { ...track, searches: [...track.searches, comingAndGoing] } : track;

export const catalogTypes: Readonly<Record<string, object>> = {
  Artist: artist,
  Track: track,
  Draft: { attributes: [{ name: 'text', kind: 'text' }] },
  Tally: {
    attributes: [
      { name: 'total', kind: 'number' },
      { name: 'hits', kind: 'number' },
    ],
    rankings: [{ name: 'byTotal', attribute: 'total' }],
  },
  Account: { attributes: [{ name: 'balance', kind: 'number' }] },
  Transfer: {
    attributes: [{ name: 'amount', kind: 'number' }],
    relations: [
      { name: 'payer', to: 'Account' },
      { name: 'payee', to: 'Account' },
    ],
  },
  Session: {
    attributes: [{ name: 'until', kind: 'instant' }],
    expires: { attribute: 'until' },
  },
};

/** Whether users declare a type of this name, permanently or temporarily. */
export const isCatalogType = (name: string): boolean =>
  Object.hasOwn(catalogTypes, name) || /^Kind\d+$/.test(name);

export const keyOf = ({ type, id }: EntityName): string => `${type}/${id}`;
export const pathOf = ({ type, id }: EntityName): string =>
  `/v1/entities/${type}/${encodeURIComponent(id)}`;

import type { JsonRequest } from '../running-service.ts';
import type { Size } from './seed-table.ts';

/** Songs that each query finds, for any size of the table. */
export const songsOfArtist = 8;

const types = {
  Artist: {
    attributes: [{ name: 'name', kind: 'text', required: true }],
    searches: [{ name: 'byName', parts: [{ attribute: 'name', as: 'collated' }] }],
  },
  Song: {
    attributes: [
      { name: 'title', kind: 'text', required: true },
      { name: 'released', kind: 'number' },
      { name: 'plays', kind: 'number' },
      { name: 'note', kind: 'text' },
      { name: 'listeners', kind: 'number' },
      { name: 'labels', kind: 'set' },
    ],
    relations: [
      { name: 'artist', to: 'Artist', many: false },
      { name: 'features', to: 'Artist', many: true },
    ],
    searches: [
      { name: 'byTitle', parts: [{ attribute: 'title', as: 'collated' }] },
      { name: 'byArtistAndYear', parts: [{ relation: 'artist' }, { attribute: 'released' }] },
    ],
    rankings: [{ name: 'byPlays', attribute: 'plays', direction: 'descending' }],
    fullText: ['title'],
  },
  User: {
    attributes: [
      { name: 'email', kind: 'text', unique: true },
      { name: 'name', kind: 'text' },
    ],
  },
  Photo: {
    attributes: [{ name: 'tags', kind: 'set' }],
    searches: [{ name: 'byTag', parts: [{ attribute: 'tags' }] }],
  },
  Offer: {
    attributes: [
      { name: 'name', kind: 'text' },
      { name: 'price', kind: 'number' },
      { name: 'isNew', kind: 'boolean' },
      { name: 'note', kind: 'text' },
      { name: 'stock', kind: 'number' },
    ],
    filters: [
      { attribute: 'name', as: 'collated' },
      { attribute: 'price' },
      { attribute: 'isNew' },
    ],
  },
  Session: {
    attributes: [{ name: 'until', kind: 'instant' }],
    expires: { attribute: 'until' },
  },
  Group: {
    relations: [
      {
        ...{ name: 'members', to: 'Artist', many: true },
        attributes: [{ name: 'role', kind: 'text', required: true }],
      },
    ],
  },
  Member: {
    attributes: [{ name: 'points', kind: 'number' }],
    relations: [{ name: 'group', to: 'Group', many: false }],
    rankings: [{ name: 'byPoints', attribute: 'points', within: 'group' }],
  },
  Run: {
    attributes: [
      { name: 'points', kind: 'number' },
      { name: 'at', kind: 'instant' },
    ],
    rankings: [
      {
        ...{ name: 'byWeek', attribute: 'points' },
        period: { attribute: 'at', length: 'P1W' },
      },
    ],
  },
};

/** A group of two artists with three scores, equally large for any size of the table. */
const group = [
  {
    ...{ type: 'Group', id: 'band' },
    relations: {
      members: ['bass', 'piano'].map((role, index) => {
        return { id: idOf('artist', index), attributes: { role } };
      }),
    },
  },
  ...[30, 20, 10].map((points, index) => ({
    ...{ type: 'Member', id: `m${index}` },
    ...{ attributes: { points }, relations: { group: 'band' } },
  })),
];

/** Id of the nth entity, with a constant length, so that its cost is constant. */
export function idOf(kind: 'artist' | 'song', index: number): string {
  return `${kind}-${String(index).padStart(5, '0')}`;
}

const runs = [30, 20, 10].map((points, index) => ({
  ...{ type: 'Run', id: `r${index}`, attributes: { points, at: '2026-11-25T12:00:00Z' } },
}));

type SendToCatalog = (path: string, request: JsonRequest) => Promise<unknown>;

/** Declares the types, and creates artists with eight songs each, about as many songs as the table has devices. */
export async function seedCatalog(send: SendToCatalog, { devices }: Size): Promise<void> {
  for (const [name, body] of Object.entries(types)) {
    await send(`/v1/types/${name}`, { method: 'PUT', body });
  }
  const artists = Math.ceil(devices / songsOfArtist);
  const entities = [
    ...range(artists).map((index) => ({
      type: 'Artist',
      id: idOf('artist', index),
      attributes: { name: `Artist ${String(index).padStart(5, '0')}` },
    })),
    ...range(artists * songsOfArtist).map((index) => ({
      type: 'Song',
      id: idOf('song', index),
      attributes: {
        title: `Song ${String(index).padStart(5, '0')}`,
        released: 1970 + (index % songsOfArtist),
        // The first songs have the most plays, so that ranks are independent of the size.
        plays: 1_000_000 - index,
      },
      relations: { artist: idOf('artist', Math.floor(index / songsOfArtist)) },
    })),
  ];
  await send('/v1/entities', { method: 'POST', body: [...entities, ...group, ...runs] });
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

import { catalogOn } from './catalog.ts';
import { artist, declare, declareMusic, makeNamed, pathOf, quiet, track } from './entities.ts';
import { Gate } from './gate.ts';
import { startTable } from './table.ts';
import type { Catalog } from './catalog.ts';
import type { MusicTypes } from './entities.ts';
import type { StartedTable } from './table.ts';

/** More artists than a transaction can have, with or without their checks. */
export const ids = Array.from({ length: 130 }, (_, index) => `a${String(index).padStart(3, '0')}`);

/** A track that features these artists. */
export function medley(title: string, featuring: readonly string[]) {
  return { attributes: { title }, relations: { featuring } };
}

/** Two replicas with a table of artists; requests of the slow one can be held. */
export interface TwoReplicas {
  started: StartedTable;
  gate: Gate;
  quick: Catalog;
  slow: Catalog;
  /** The ids of the featured artists of a track. */
  featuring: (id: string) => Promise<string[]>;
  close: () => Promise<void>;
}

/** Two replicas that know the artists. */
export async function startTwoReplicas(): Promise<TwoReplicas> {
  const replicas = await startPair((quick) => declare(quick, { Artist: artist, Track: track }));
  await makeNamed(replicas.quick, 'Artist', ids);
  return replicas;
}

/** Two replicas with a table without types. */
export async function startPair(
  prepare: (quick: Catalog) => Promise<void> = () => Promise.resolve(),
): Promise<TwoReplicas> {
  const started = await startTable();
  const gate = await Gate.start(started.location.endpoint);
  const environment = { ...quiet, RATE_LIMIT_PER_MINUTE: '0' };
  const quick = await catalogOn(started, environment);
  await prepare(quick);
  const slow = await catalogOn(started, { ...environment, ...gate.environment });
  return {
    started,
    gate,
    quick,
    slow,
    featuring: (id) => featuringOf(quick, ['Track', id]),
    close: async () => {
      await Promise.all([quick, slow].map((catalog) => catalog.close()));
      await gate.close();
      await started.close();
    },
  };
}

/** The ids of the featured artists of a track. */
export async function featuringOf(
  catalog: Catalog,
  [type, id]: readonly [string, string],
): Promise<string[]> {
  const { body } = await catalog.ask(`${pathOf(type, id)}?limit=1000`);
  return (body as { relations: { featuring?: string[] } }).relations.featuring ?? [];
}

/** Tracks and artists of a test: types of its own, known to both replicas, and all artists. */
export async function makeArtists(catalogs: readonly [Catalog, ...Catalog[]]): Promise<MusicTypes> {
  const own = await declareMusic(catalogs[0]);
  for (const type of Object.values(own)) {
    for (const catalog of catalogs) await catalog.ask(`/v1/entities/${type}?limit=1`);
  }
  await makeNamed(catalogs[0], own.Artist, ids);
  return own;
}

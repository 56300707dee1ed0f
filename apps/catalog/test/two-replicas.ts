import { catalogOn } from './catalog.ts';
import { artist, declare, makeNamed, pathOf, quiet, track } from './entities.ts';
import { Gate } from './gate.ts';
import { startTable } from './table.ts';
import type { Catalog } from './catalog.ts';
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

export async function startTwoReplicas(): Promise<TwoReplicas> {
  const started = await startTable();
  const gate = await Gate.start(started.location.endpoint);
  const environment = { ...quiet, RATE_LIMIT_PER_MINUTE: '0' };
  const quick = await catalogOn(started, environment);
  await declare(quick, { Artist: artist, Track: track });
  const slow = await catalogOn(started, { ...environment, ...gate.environment });
  await makeNamed(quick, 'Artist', ids);
  return {
    started,
    gate,
    quick,
    slow,
    featuring: async (id) => {
      const { body } = await quick.ask(`${pathOf('Track', id)}?limit=1000`);
      return (body as { relations: { featuring?: string[] } }).relations.featuring ?? [];
    },
    close: async () => {
      await Promise.all([quick, slow].map((catalog) => catalog.close()));
      await gate.close();
      await started.close();
    },
  };
}

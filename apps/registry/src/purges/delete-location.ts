import { parsePlace, parseRoom, unlessDeleted } from '@engawa/model';
import { ConditionFailed, present } from '@engawa/table';
import { Problem } from '@engawa/errors';
import { placeNotFound } from '../places/place-store.ts';
import { roomNotFound } from '../places/room-store.ts';
import { hasRevision } from '../revision.ts';
import { purgeJobWrites, newPurgeJob } from './purge-job.ts';
import type { Revision } from '@engawa/http';
import type { Table } from '@engawa/table';
import type { Document } from '@engawa/model';
import type { PurgeJob, PurgeTarget } from './purge-job.ts';

/** A place, or a room of it. */
export interface LocationDeletion {
  place: string;
  room?: string | undefined;
  /** The expected revision; by default any. */
  revision?: Revision | undefined;
}

/**
 * One transaction, which replaces the place or room by a tombstone and creates a purge job for the
 * rest.
 * @throws Problem `place-not-found`, `room-not-found`, `version-mismatch`
 */
export async function deleteLocation(
  table: Table,
  { place, room, revision }: LocationDeletion,
): Promise<PurgeJob> {
  const { target, notFound, parse, title } = locationOf(place, room);
  const job = newPurgeJob(target);
  try {
    const onlyIf = revision === undefined ? present('version') : hasRevision(revision);
    await table.transact(purgeJobWrites(job, onlyIf));
    return job;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    const item = unlessDeleted(error.item);
    if (item === undefined) throw notFound;
    const { version: current } = parse(item);
    throw new Problem('version-mismatch', `The ${title} has version ${current} now.`);
  }
}

interface Location {
  target: PurgeTarget;
  notFound: Problem;
  parse: (item: Document) => { version: number };
  title: string;
}

function locationOf(place: string, room: string | undefined): Location {
  if (room === undefined) {
    return {
      target: { kind: 'PLACE', place },
      notFound: placeNotFound(place),
      parse: parsePlace,
      title: `place ${JSON.stringify(place)}`,
    };
  }
  return {
    target: { kind: 'ROOM', place, room },
    notFound: roomNotFound({ place, id: room }),
    parse: parseRoom,
    title: `room ${JSON.stringify(room)} in place ${JSON.stringify(place)}`,
  };
}

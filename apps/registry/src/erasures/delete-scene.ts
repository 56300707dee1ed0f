import { parsePlace, parseRoom, unlessDeleted } from '@engawa/model';
import { ConditionFailed, present } from '@engawa/table';
import { Problem } from '@engawa/errors';
import { placeNotFound } from '../places/place-store.ts';
import { roomNotFound } from '../places/room-store.ts';
import { hasRevision } from '../revision.ts';
import { erasureWrites, newErasure } from './erasure.ts';
import type { Revision } from '@engawa/http';
import type { Table } from '@engawa/table';
import type { Document } from '@engawa/model';
import type { Erasure, Subject } from './erasure.ts';

/** A place, or a room of it. */
export interface SceneDeletion {
  place: string;
  room?: string | undefined;
  /** The one that it must have; without it, any. */
  revision?: Revision | undefined;
}

/**
 * One transaction, in which a tombstone takes the place of the place or room, and what is still to be erased is noted.
 * @throws Problem `place-not-found`, `room-not-found`, `version-mismatch`
 */
export async function deleteScene(
  table: Table,
  { place, room, revision }: SceneDeletion,
): Promise<Erasure> {
  const { subject, notFound, parse, title } = sceneOf(place, room);
  const erasure = newErasure(subject);
  try {
    const onlyIf = revision === undefined ? present('version') : hasRevision(revision);
    await table.transact(erasureWrites(erasure, onlyIf));
    return erasure;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    const item = unlessDeleted(error.item);
    if (item === undefined) throw notFound;
    const { version: current } = parse(item);
    throw new Problem('version-mismatch', `The ${title} has version ${current} by now.`);
  }
}

interface Scene {
  subject: Subject;
  notFound: Problem;
  parse: (item: Document) => { version: number };
  title: string;
}

function sceneOf(place: string, room: string | undefined): Scene {
  if (room === undefined) {
    return {
      subject: { kind: 'PLACE', place },
      notFound: placeNotFound(place),
      parse: parsePlace,
      title: `place ${JSON.stringify(place)}`,
    };
  }
  return {
    subject: { kind: 'ROOM', place, room },
    notFound: roomNotFound({ place, id: room }),
    parse: parseRoom,
    title: `room ${JSON.stringify(room)} in place ${JSON.stringify(place)}`,
  };
}

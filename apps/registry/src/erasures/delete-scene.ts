import { placeKey, roomKey } from '@engawa/keys';
import { parsePlace, parseRoom } from '@engawa/model';
import { ConditionFailed, equal, present } from '@engawa/table';
import { Problem } from '@engawa/errors';
import { placeNotFound } from '../places/place-store.ts';
import { roomNotFound } from '../places/room-store.ts';
import { erasureItem, newErasure } from './erasure.ts';
import type { Table } from '@engawa/table';
import type { Key } from '@engawa/keys';
import type { Document } from '@engawa/model';
import type { Erasure, Subject } from './erasure.ts';

/** A place, or a room of it. */
export interface SceneDeletion {
  place: string;
  room?: string | undefined;
  /** The version that it must have; without it, any. */
  version?: number | undefined;
}

/**
 * One transaction, in which the place or the room itself goes, and what is left to do is noted.
 * @throws Problem `place-not-found`, `room-not-found`, `version-mismatch`
 */
export async function deleteScene(
  table: Table,
  { place, room, version }: SceneDeletion,
): Promise<Erasure> {
  const { key, subject, notFound, parse, title } = sceneOf(place, room);
  const erasure = newErasure(subject);
  try {
    await table.transact([
      { delete: key, onlyIf: version === undefined ? present('pk') : equal('version', version) },
      { put: erasureItem(erasure) },
    ]);
    return erasure;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    if (error.item === undefined) throw notFound;
    const { version: current } = parse(error.item);
    throw new Problem('version-mismatch', `The ${title} has version ${current} by now.`);
  }
}

interface Scene {
  key: Key;
  subject: Subject;
  notFound: Problem;
  parse: (item: Document) => { version: number };
  title: string;
}

function sceneOf(place: string, room: string | undefined): Scene {
  if (room === undefined) {
    return {
      key: placeKey(place),
      subject: { kind: 'PLACE', place },
      notFound: placeNotFound(place),
      parse: parsePlace,
      title: `place ${JSON.stringify(place)}`,
    };
  }
  return {
    key: roomKey(place, room),
    subject: { kind: 'ROOM', place, room },
    notFound: roomNotFound({ place, id: room }),
    parse: parseRoom,
    title: `room ${JSON.stringify(room)} in place ${JSON.stringify(place)}`,
  };
}

import { linkAttributesOf, relationsOf } from '@engawa/model';
import { showAttributes } from './entity-schemas.ts';
import type { RelationRow } from '@engawa/model';

/** Bytes of the names and brackets around the id and the attributes of a related entity. */
const linkFrameBytes = 24;

/** Bytes that the relations of a row have in a response, with their attributes: an upper bound. */
export function relationBytes(row: RelationRow, settles: string | undefined): number {
  const attributes = linkAttributesOf(row, settles);
  const idBytes = Buffer.byteLength(JSON.stringify(row.to.id)) + linkFrameBytes;
  return relationsOf(row, settles).reduce((sum, name) => {
    const values = attributes.get(name);
    const bytes = values === undefined ? 0 : byteLengthOf(showAttributes(values));
    return sum + idBytes + bytes;
  }, 0);
}

function byteLengthOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}

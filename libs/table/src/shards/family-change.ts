import { epochDocuments, shrinkDocument } from '@engawa/model';
import { absent, allOf, equal } from '../items/expression.ts';
import type { FamilyShards } from '@engawa/keys';
import type { Document } from '@engawa/model';
import type { Update } from '../write/write-request.ts';

/**
 * The change of a family's item of the shard map, if it has the state that was read. A growth of an earlier release
 * changes only the epochs.
 */
export function familyChange(before: FamilyShards, after: FamilyShards): Omit<Update, 'update'> {
  const { epochs, shrink, version } = after;
  const set: Document = {
    epochs: epochDocuments(epochs),
    ...(version > 0 && { version }),
    ...(shrink !== undefined && { shrink: shrinkDocument(shrink) }),
  };
  const hasEpochs =
    before.epochs.length === 0 ? absent('epochs') : equal('epochs', epochDocuments(before.epochs));
  const hasVersion = before.version === 0 ? absent('version') : equal('version', before.version);
  return {
    set,
    remove: shrink === undefined && before.shrink !== undefined ? ['shrink'] : [],
    onlyIf: allOf(hasEpochs, hasVersion),
  };
}

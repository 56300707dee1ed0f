import { relationKey, relationNames, targetOf } from '../../oracles/entities-ledger.ts';
import type {
  Content,
  EntityName,
  RelationName,
  Span,
  State,
} from '../../oracles/entities-ledger.ts';
import type { EntityInput } from './music-choices.ts';

export function contentOf({ attributes, relations }: EntityInput, span: Span): Content {
  const keys = relationNames.flatMap((relation) =>
    relations[relation].map((id) => relationKey(relation, id)),
  );
  return { attributes, relations: new Map(keys.map((key) => [key, span])) };
}

/** The request content that produces an entity's content. */
export function givenOf({ attributes, relations }: Content): EntityInput {
  const idsOf = (relation: RelationName) =>
    [...relations.keys()].flatMap((key) => {
      const [name, id] = targetOf(key);
      return name === relation ? [id] : [];
    });
  return { attributes, relations: { artist: idsOf('artist'), featuring: idsOf('featuring') } };
}

/** The body of a PUT. */
export function bodyOf(
  { type }: EntityName,
  { attributes, relations: { artist, featuring } }: EntityInput,
) {
  if (type === 'Artist') return { attributes };
  return { attributes, relations: { ...(artist[0] && { artist: artist[0] }), featuring } };
}

/** The body of a PATCH that sets attributes and relations, and removes others. */
export function patchOf(
  { type }: EntityName,
  { attributes, relations: { artist, featuring } }: EntityInput,
  removed: readonly string[],
) {
  if (type === 'Artist') return { attributes: { code: null, ...attributes } };
  return {
    attributes: { code: null, released: null, tags: null, ...attributes },
    relations: {
      ...(artist[0] && { artist: artist[0] }),
      featuring: { add: featuring, remove: removed },
    },
  };
}

/** The content of an entity after a PATCH. */
export function patched(
  state: Content,
  { attributes, relations: { artist, featuring } }: EntityInput,
  { removed, span }: { removed: readonly string[]; span: Span },
): State {
  const relations = new Map(state.relations);
  if (artist[0] !== undefined) {
    for (const key of state.relations.keys()) {
      if (key.startsWith('artist ')) relations.delete(key);
    }
    relations.set(relationKey('artist', artist[0]), span);
  }
  for (const id of removed) relations.delete(relationKey('featuring', id));
  for (const id of featuring) relations.set(relationKey('featuring', id), span);
  return { attributes, relations };
}

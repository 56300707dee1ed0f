import type { FieldError } from '@engawa/errors';
import type { AttributeDefinition, AttributeKind, RelationDefinition } from '@engawa/model';

/** The attributes and relations of a declaration, by their names. */
export interface DeclaredFields {
  attributes: ReadonlyMap<string, AttributeDefinition>;
  relations: ReadonlyMap<string, RelationDefinition>;
}

interface KindContext {
  path: string;
  known: Pick<DeclaredFields, 'attributes'>;
  kinds: readonly AttributeKind[];
}

/** The error of a name that is no attribute of these kinds. */
export function kindErrors(attribute: string, { path, known, kinds }: KindContext): FieldError[] {
  const kind = known.attributes.get(attribute)?.kind;
  if (kind === undefined) return [{ path, message: 'must be an attribute of the type' }];
  if (kinds.includes(kind)) return [];
  return [{ path, message: `must be of kind ${kinds.join(' or ')}, not ${kind}` }];
}

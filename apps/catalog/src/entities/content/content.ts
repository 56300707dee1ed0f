import type { AttributeValue } from '@engawa/model';
import type { LinkChanges } from '../relations/relation-attributes.ts';

/** What a user says of an entity, checked against its type. */
export interface Content {
  attributes: ReadonlyMap<string, AttributeValue>;
  /** The ids that each relation leads to; of a relation to one, one at most. */
  relations: ReadonlyMap<string, readonly string[]>;
  /** What is said of the attributes of relations. */
  links?: LinkChanges | undefined;
}

import type { AttributeValue } from '@engawa/model';
import type { OlderContent } from './older-content.ts';
import type { StatedProperties } from './service-properties.ts';
import type { LinkChanges } from '../relations/relation-attributes.ts';

/** The content of an entity as the client gives it, validated against its type. */
export interface Content {
  attributes: ReadonlyMap<string, AttributeValue>;
  /** The target ids of each relation; a relation to one has at most one. */
  relations: ReadonlyMap<string, readonly string[]>;
  /** Changes of the attributes of relations. */
  links?: LinkChanges | undefined;
  /** Parts that do not fit the type, unless the stored entity has them as well (`refuseOlder`). */
  older?: OlderContent | undefined;
  /** Properties of the body that the service sets. */
  stated?: StatedProperties | undefined;
}

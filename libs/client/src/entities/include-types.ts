import type { NameIn, TypeDeclaration } from './declare-type.ts';
import type { AttributesOutput, PickFields } from './entity-types.ts';
import type { NameOf, RelationToOne } from './value-types.ts';

type TargetOf<Relation> = Relation extends { readonly to: infer Name extends string }
  ? Name
  : never;

/** For relations to one: the declaration of the related entities, and the attributes of them to include. */
export type IncludeOf<Declaration> = {
  readonly [One in RelationToOne<Declaration> as NameOf<One>]?: {
    readonly type: TypeDeclaration & { readonly name: TargetOf<One> };
    readonly fields: readonly string[];
  };
};

/** Refuses relations and attributes that are not declared. */
export type DeclaredInclude<Declaration, Include> = {
  readonly [Name in keyof Include]: Name extends keyof IncludeOf<Declaration>
    ? Include[Name] extends { readonly type: infer Target }
      ? { readonly fields: readonly NameIn<Target, 'attributes'>[] }
      : never
    : never;
};

/** The parameter of a list. */
export interface Including<Declaration, Include> {
  /** Attributes of related entities, in `included`: one more DynamoDB request per 100. */
  include?: Include & DeclaredInclude<Declaration, Include>;
}

type IncludedEntity<Attributes> =
  | { id: string; attributes: Attributes; missing?: undefined }
  | { id: string; attributes?: undefined; missing: 'not-found' | 'expired' | 'too-large' };

type IncludedAttributes<Included> = Included extends {
  readonly type: infer Target;
  readonly fields: readonly (infer Field)[];
}
  ? PickFields<AttributesOutput<Target>, Field>
  : never;

/** A further property of an entity of the list; a relation without target is absent. */
export type WithIncluded<Include> = [keyof Include] extends [never]
  ? object
  : {
      included: {
        -readonly [Name in keyof Include]?: IncludedEntity<IncludedAttributes<Include[Name]>>;
      };
    };

/** No relation: the default of `Include`. */
export type NoInclude = object;

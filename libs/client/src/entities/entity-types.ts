import type { NameIn, TypeDeclaration } from './declare-type.ts';
import type { GivenRelations, RelationChanges, ShownRelations } from './relation-types.ts';
import type {
  Attribute,
  Automatic,
  GivenKinds,
  InPlace,
  Json,
  MemberOf,
  NameOf,
  Others,
  Required,
  Show,
  ShownKinds,
  ValueOf,
  Values,
} from './value-types.ts';

/** Attributes of an entity in a response: required and automatic ones are present. */
export type ShownAttributes<Declaration> = Show<
  Values<ShownKinds, Required<Declaration> | Automatic<Declaration>> &
    Partial<
      Values<
        ShownKinds,
        Exclude<Attribute<Declaration>, Required<Declaration> | Automatic<Declaration>>
      >
    > &
    Others<Declaration, Json | undefined>
>;

interface ShownEntity<Type, Attributes, Relations> {
  type: Type;
  id: string;
  attributes: Attributes;
  relations: Relations;
  createdAt: string;
  updatedAt: string;
  version: number;
}

export type EntityOf<Declaration extends TypeDeclaration> = ShownEntity<
  Declaration['name'],
  ShownAttributes<Declaration>,
  ShownRelations<Declaration>
>;

/** An entity with its ETag, which `ifMatch` takes. */
export type Tagged<Entity> = Entity & { etag: string };

/** Names that `fields` accepts: attributes and relations. */
export type FieldOf<Declaration> =
  | NameIn<Declaration, 'attributes'>
  | NameIn<Declaration, 'relations'>
  | (Declaration extends { readonly additional: true } ? string : never);

type Picked<Values, Field> = Pick<Values, Extract<Field, keyof Values>>;

/** An entity with the selected attributes and relations; with all of them, where `fields` is absent. */
export type PartOf<Declaration extends TypeDeclaration, Field> = [FieldOf<Declaration>] extends [
  Field,
]
  ? EntityOf<Declaration>
  : ShownEntity<
      Declaration['name'],
      Picked<ShownAttributes<Declaration>, Field>,
      Picked<ShownRelations<Declaration>, Field>
    >;

/** The content of an entity for `put`. */
export type EntityContent<Declaration> = Show<
  WithAttributes<
    Values<GivenKinds, Exclude<Required<Declaration>, Automatic<Declaration>>> &
      Partial<Values<GivenKinds, Exclude<Attribute<Declaration>, Required<Declaration>>>>,
    Others<Declaration, unknown>
  > & { relations?: GivenRelations<Declaration> }
>;

/** `attributes` is optional where no attribute is required. */
type WithAttributes<Given, Others> = object extends Given
  ? { attributes?: Show<Given & Others> }
  : { attributes: Show<Given & Others> };

/** A condition on one attribute. */
interface ConditionOn<Element> {
  equals?: ValueOf<GivenKinds, Element>;
  /** For a number, an instant or a text. */
  atLeast?: Compared<Element>;
  atMost?: Compared<Element>;
  /** For a set. */
  contains?: Element extends { readonly kind: 'set' } ? MemberOf<GivenKinds, Element> : never;
  exists?: boolean;
}

type Compared<Element> = Element extends { readonly kind: 'number' | 'instant' | 'text' }
  ? ValueOf<GivenKinds, Element>
  : never;

/** Conditions on attributes at the time of a change. */
export type Conditions<Declaration> = Show<
  { [One in Attribute<Declaration> as NameOf<One>]?: ConditionOn<One> } & Others<
    Declaration,
    unknown
  >
>;

type Changes<Element> = {
  [One in Element as NameOf<One>]?: ValueOf<GivenKinds, One> | InPlace<One>;
};
type ChangesOrNull<Element> = {
  [One in Element as NameOf<One>]?: ValueOf<GivenKinds, One> | InPlace<One> | null;
};

/** The change of a `patch`: null removes an optional attribute or relation. */
export interface EntityChange<Declaration> {
  attributes?: Show<
    Changes<Required<Declaration>> &
      ChangesOrNull<Exclude<Attribute<Declaration>, Required<Declaration>>> &
      Others<Declaration, unknown>
  >;
  conditions?: Conditions<Declaration>;
  relations?: RelationChanges<Declaration>;
}

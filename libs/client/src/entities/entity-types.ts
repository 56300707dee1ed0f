import type { NameIn, TypeDeclaration } from './declare-type.ts';
import type { RelationsInput, RelationChanges, RelationsOutput } from './relation-types.ts';
import type {
  Attribute,
  AutomaticAttribute,
  InputKinds,
  InPlaceChange,
  Json,
  MemberOf,
  NameOf,
  UndeclaredAttributes,
  RequiredAttribute,
  Simplify,
  OutputKinds,
  ValueOf,
  ValuesByName,
} from './value-types.ts';

/** Attributes of an entity in a response: required and automatic ones are present. */
export type AttributesOutput<Declaration> = Simplify<
  ValuesByName<OutputKinds, RequiredAttribute<Declaration> | AutomaticAttribute<Declaration>> &
    Partial<
      ValuesByName<
        OutputKinds,
        Exclude<
          Attribute<Declaration>,
          RequiredAttribute<Declaration> | AutomaticAttribute<Declaration>
        >
      >
    > &
    UndeclaredAttributes<Declaration, Json | undefined>
>;

interface EntityOutput<Type, Attributes, Relations> {
  type: Type;
  id: string;
  attributes: Attributes;
  relations: Relations;
  /** Of `get`: relations to so many entities that this is a part of them; they are not in `relations`. */
  relationParts?: Partial<Relations>;
  createdAt: string;
  updatedAt: string;
  version: number;
}

export type EntityOf<Declaration extends TypeDeclaration> = EntityOutput<
  Declaration['name'],
  AttributesOutput<Declaration>,
  RelationsOutput<Declaration>
>;

/** An entity with its ETag, which `ifMatch` takes. */
export type Tagged<Entity> = Entity & { etag: string };

/** Names that `fields` accepts: attributes and relations. */
export type FieldOf<Declaration> =
  | NameIn<Declaration, 'attributes'>
  | NameIn<Declaration, 'relations'>
  | (Declaration extends { readonly additional: true } ? string : never);

export type PickFields<Values, Field> = Pick<Values, Extract<Field, keyof Values>>;

/** An entity with the selected attributes and relations; with all of them, where `fields` is absent. */
export type PartOf<Declaration extends TypeDeclaration, Field> = [FieldOf<Declaration>] extends [
  Field,
]
  ? EntityOf<Declaration>
  : EntityOutput<
      Declaration['name'],
      PickFields<AttributesOutput<Declaration>, Field>,
      PickFields<RelationsOutput<Declaration>, Field>
    >;

/** The content of an entity for `put`. */
export type EntityContent<Declaration> = Simplify<
  AttributesProperty<
    ValuesByName<
      InputKinds,
      Exclude<RequiredAttribute<Declaration>, AutomaticAttribute<Declaration>>
    > &
      Partial<
        ValuesByName<InputKinds, Exclude<Attribute<Declaration>, RequiredAttribute<Declaration>>>
      >,
    UndeclaredAttributes<Declaration, unknown>
  > & { relations?: RelationsInput<Declaration> }
>;

/** What `put` takes: content, or an entity as it was read, with changes. */
export type EntityToPut<Declaration extends TypeDeclaration> =
  EntityContent<Declaration> | EntityOf<Declaration>;

/** `attributes` is optional where no attribute is required. */
type AttributesProperty<Given, Others> = object extends Given
  ? { attributes?: Simplify<Given & Others> }
  : { attributes: Simplify<Given & Others> };

/** Conditions on a value inside a map. */
interface ConditionInside {
  equals?: unknown;
  atLeast?: number | string;
  atMost?: number | string;
  exists?: boolean;
}

/** A change of a value inside a map; null removes it. */
type ChangeInside = { set: unknown } | { add: number } | { append: readonly unknown[] } | null;

/** A condition on one attribute. */
interface ConditionOn<Element> {
  equals?: ValueOf<InputKinds, Element>;
  /** For a number, an instant or a text. */
  atLeast?: ComparableValue<Element>;
  atMost?: ComparableValue<Element>;
  /** For a set. */
  contains?: Element extends { readonly kind: 'set' } ? MemberOf<InputKinds, Element> : never;
  exists?: boolean;
  /** For a map: conditions on values inside it, by JSON Pointer such as `/counts/visits`. */
  inside?: Element extends { readonly kind: 'map' } ? Record<string, ConditionInside> : never;
}

type ComparableValue<Element> = Element extends { readonly kind: 'number' | 'instant' | 'text' }
  ? ValueOf<InputKinds, Element>
  : never;

/** Conditions on attributes at the time of a change. */
export type Conditions<Declaration> = Simplify<
  { [One in Attribute<Declaration> as NameOf<One>]?: ConditionOn<One> } & UndeclaredAttributes<
    Declaration,
    unknown
  >
>;

type Changes<Element> = {
  [One in Element as NameOf<One>]?: ValueOf<InputKinds, One> | InPlaceChange<One>;
};
type ChangesOrNull<Element> = {
  [One in Element as NameOf<One>]?: ValueOf<InputKinds, One> | InPlaceChange<One> | null;
};

type Inside = Record<string, ChangeInside>;

/** The change of a `patch`: null removes an optional attribute or relation. */
export interface EntityChange<Declaration> {
  attributes?: Simplify<
    Changes<RequiredAttribute<Declaration>> &
      ChangesOrNull<Exclude<Attribute<Declaration>, RequiredAttribute<Declaration>>> &
      UndeclaredAttributes<Declaration, unknown>
  >;
  /** Changes of values inside maps, by JSON Pointer such as `/counts/visits`; the rest of the map stays. */
  inside?: Partial<
    Record<NameOf<Extract<Attribute<Declaration>, { readonly kind: 'map' }>>, Inside>
  > &
    UndeclaredAttributes<Declaration, Inside | undefined>;
  conditions?: Conditions<Declaration>;
  relations?: RelationChanges<Declaration>;
}

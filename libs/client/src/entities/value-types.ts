export type Json =
  string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

type JsonMap = Readonly<Record<string, Json>>;

/** The value of each kind of attribute in a response; any JSON for a kind unknown to this release. */
export interface OutputKinds {
  text: string;
  number: number;
  boolean: boolean;
  /** ISO 8601 in UTC. */
  instant: string;
  list: readonly Json[];
  map: JsonMap;
}

/** The value of each kind in a request: a bigint is written with all its digits. */
export interface InputKinds {
  text: string;
  number: number | bigint;
  boolean: boolean;
  instant: string | number | Date;
  list: readonly Json[];
  map: JsonMap;
}

/** The members of a set. */
export type MemberOf<Kinds extends OutputKinds | InputKinds, Element> = Element extends {
  readonly of: 'number';
}
  ? Kinds['number']
  : string;

export type ValueOf<Kinds extends OutputKinds | InputKinds, Element> = Element extends {
  readonly kind: infer Kind;
}
  ? Kind extends 'set'
    ? readonly MemberOf<Kinds, Element>[]
    : Kind extends keyof Kinds
      ? Kinds[Kind]
      : Json
  : Json;

/** An atomic change of a value, instead of a new value. */
export type InPlaceChange<Element> = Element extends { readonly kind: 'number' }
  ? { add: number | bigint }
  : Element extends { readonly kind: 'set' }
    ? {
        append?: readonly MemberOf<InputKinds, Element>[];
        remove?: readonly MemberOf<InputKinds, Element>[];
      }
    : never;

/** Undeclared attributes of an open type. */
export type UndeclaredAttributes<Declaration, Value> = Declaration extends {
  readonly additional: true;
}
  ? Record<string, Value>
  : unknown;

export type Simplify<Type> = { [Key in keyof Type]: Type[Key] };

/** The elements of a list of a declaration. */
export type ListElement<Declaration, List extends string> =
  Declaration extends Readonly<Record<List, readonly (infer Element)[]>> ? Element : never;

export type Attribute<Declaration> = ListElement<Declaration, 'attributes'>;
export type Relation<Declaration> = ListElement<Declaration, 'relations'>;
export type RequiredAttribute<Declaration> = Extract<
  Attribute<Declaration>,
  { readonly required: true }
>;
export type AutomaticAttribute<Declaration> = Extract<
  Attribute<Declaration>,
  { readonly automatic: string }
>;
type UniqueAttribute<Declaration> = Extract<Attribute<Declaration>, { readonly unique: true }>;
export type UniqueName<Declaration> = NameOf<UniqueAttribute<Declaration>>;
export type UniqueValueOf<Declaration, Name> = ValueOf<
  InputKinds,
  Extract<UniqueAttribute<Declaration>, { readonly name: Name }>
>;
export type RelationToMany<Declaration> = Extract<Relation<Declaration>, { readonly many: true }>;
export type RelationToOne<Declaration> = Exclude<
  Relation<Declaration>,
  RelationToMany<Declaration>
>;
export type NameOf<Element> = Element extends { readonly name: infer Name extends string }
  ? Name
  : never;

export type ValuesByName<Kinds extends OutputKinds | InputKinds, Element> = {
  [One in Element as NameOf<One>]: ValueOf<Kinds, One>;
};

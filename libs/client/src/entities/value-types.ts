import type { Listed } from './declare-type.ts';

export type Json =
  string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

type JsonMap = Readonly<Record<string, Json>>;

/** The value of each kind of attribute in a response; any JSON for a kind unknown to this release. */
export interface ShownKinds {
  text: string;
  number: number;
  boolean: boolean;
  /** ISO 8601 in UTC. */
  instant: string;
  list: readonly Json[];
  map: JsonMap;
}

/** The value of each kind in a request: a bigint is written with all its digits. */
export interface GivenKinds {
  text: string;
  number: number | bigint;
  boolean: boolean;
  instant: string | number | Date;
  list: readonly Json[];
  map: JsonMap;
}

/** The members of a set. */
export type MemberOf<Kinds extends ShownKinds | GivenKinds, Element> = Element extends {
  readonly of: 'number';
}
  ? Kinds['number']
  : string;

export type ValueOf<Kinds extends ShownKinds | GivenKinds, Element> = Element extends {
  readonly kind: infer Kind;
}
  ? Kind extends 'set'
    ? readonly MemberOf<Kinds, Element>[]
    : Kind extends keyof Kinds
      ? Kinds[Kind]
      : Json
  : Json;

/** An atomic change of a value, instead of a new value. */
export type InPlace<Element> = Element extends { readonly kind: 'number' }
  ? { add: number | bigint }
  : Element extends { readonly kind: 'set' }
    ? {
        append?: readonly MemberOf<GivenKinds, Element>[];
        remove?: readonly MemberOf<GivenKinds, Element>[];
      }
    : never;

/** Undeclared attributes of an open type. */
export type Others<Declaration, Value> = Declaration extends { readonly additional: true }
  ? Record<string, Value>
  : unknown;

export type Show<Type> = { [Key in keyof Type]: Type[Key] };
export type Attribute<Declaration> = Listed<Declaration, 'attributes'>;
export type Relation<Declaration> = Listed<Declaration, 'relations'>;
export type Required<Declaration> = Extract<Attribute<Declaration>, { readonly required: true }>;
export type Automatic<Declaration> = Extract<
  Attribute<Declaration>,
  { readonly automatic: string }
>;
export type ToMany<Declaration> = Extract<Relation<Declaration>, { readonly many: true }>;
export type ToOne<Declaration> = Exclude<Relation<Declaration>, ToMany<Declaration>>;
export type NameOf<Element> = Element extends { readonly name: infer Name extends string }
  ? Name
  : never;

export type Values<Kinds extends ShownKinds | GivenKinds, Element> = {
  [One in Element as NameOf<One>]: ValueOf<Kinds, One>;
};

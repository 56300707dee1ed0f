import type { PatchEntityInput } from '../generated/catalog.ts';
import type { Listed, NameIn, TypeDeclaration } from './declare-type.ts';

export type Json =
  string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

type JsonMap = Readonly<Record<string, Json>>;

/** What an answer has for each kind of attribute; of a kind that this release does not know, any JSON. */
interface ShownKinds {
  text: string;
  number: number;
  boolean: boolean;
  /** ISO 8601 in UTC. */
  instant: string;
  list: readonly Json[];
  map: JsonMap;
}

/** What a request may give: a bigint is written with all its digits. */
interface GivenKinds {
  text: string;
  number: number | bigint;
  boolean: boolean;
  instant: string | number | Date;
  list: readonly Json[];
  map: JsonMap;
}

/** Of a set, its members. */
type MemberOf<Kinds extends ShownKinds | GivenKinds, Element> = Element extends {
  readonly of: 'number';
}
  ? Kinds['number']
  : string;

type ValueOf<Kinds extends ShownKinds | GivenKinds, Element> = Element extends {
  readonly kind: infer Kind;
}
  ? Kind extends 'set'
    ? readonly MemberOf<Kinds, Element>[]
    : Kind extends keyof Kinds
      ? Kinds[Kind]
      : Json
  : Json;

/** What a change may say of a value in place of the next one: it takes place where the value is. */
type InPlace<Element> = Element extends { readonly kind: 'number' }
  ? { add: number | bigint }
  : Element extends { readonly kind: 'set' }
    ? {
        append?: readonly MemberOf<GivenKinds, Element>[];
        remove?: readonly MemberOf<GivenKinds, Element>[];
      }
    : never;

/** Of an open type, attributes that it does not name. */
type Others<Declaration, Value> = Declaration extends { readonly additional: true }
  ? Record<string, Value>
  : unknown;

type Show<Type> = { [Key in keyof Type]: Type[Key] };
type Attribute<Declaration> = Listed<Declaration, 'attributes'>;
type Relation<Declaration> = Listed<Declaration, 'relations'>;
type Required<Declaration> = Extract<Attribute<Declaration>, { readonly required: true }>;
type Automatic<Declaration> = Extract<Attribute<Declaration>, { readonly automatic: string }>;
type ToMany<Declaration> = Extract<Relation<Declaration>, { readonly many: true }>;
type ToOne<Declaration> = Exclude<Relation<Declaration>, ToMany<Declaration>>;
type NameOf<Element> = Element extends { readonly name: infer Name extends string } ? Name : never;

type Values<Kinds extends ShownKinds | GivenKinds, Element> = {
  [One in Element as NameOf<One>]: ValueOf<Kinds, One>;
};

/** Attributes as an entity has them: those that are required or automatic are there. */
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

/** The id that each relation to one leads to; of those to many, most answers say nothing. */
export type ShownRelations<Declaration> = Show<
  Partial<Record<NameOf<ToOne<Declaration>>, string>> &
    Partial<Record<NameOf<ToMany<Declaration>>, string[]>>
>;

export interface EntityOf<Declaration extends TypeDeclaration> {
  type: Declaration['name'];
  id: string;
  attributes: ShownAttributes<Declaration>;
  relations: ShownRelations<Declaration>;
  createdAt: string;
  updatedAt: string;
  version: number;
}

/** All of an entity, as `put` takes it. */
export type EntityContent<Declaration> = Show<
  WithAttributes<
    Values<GivenKinds, Exclude<Required<Declaration>, Automatic<Declaration>>> &
      Partial<Values<GivenKinds, Exclude<Attribute<Declaration>, Required<Declaration>>>>,
    Others<Declaration, unknown>
  > & { relations?: ShownRelations<Declaration> }
>;

/** Where nothing is required, an entity may have nothing. */
type WithAttributes<Given, Others> = object extends Given
  ? { attributes?: Show<Given & Others> }
  : { attributes: Show<Given & Others> };

type GivenCondition = NonNullable<PatchEntityInput['body']['conditions']>[string];

type Changes<Element> = {
  [One in Element as NameOf<One>]?: ValueOf<GivenKinds, One> | InPlace<One>;
};
type ChangesOrNull<Element> = {
  [One in Element as NameOf<One>]?: ValueOf<GivenKinds, One> | InPlace<One> | null;
};

/** What `patch` changes: null takes away what need not be there. */
export interface EntityChange<Declaration> {
  attributes?: Show<
    Changes<Required<Declaration>> &
      ChangesOrNull<Exclude<Attribute<Declaration>, Required<Declaration>>> &
      Others<Declaration, unknown>
  >;
  /** What must hold in the moment of the change. */
  conditions?: Partial<Record<NameOf<Attribute<Declaration>>, GivenCondition>>;
  relations?: Show<
    Partial<Record<NameOf<ToOne<Declaration>>, string | null>> &
      Partial<
        Record<
          NameOf<ToMany<Declaration>>,
          readonly string[] | { add?: readonly string[]; remove?: readonly string[] } | null
        >
      >
  >;
}

type Search<Declaration, Name> = Extract<Listed<Declaration, 'searches'>, { readonly name: Name }>;
type PartsOf<Declaration, Name> =
  Search<Declaration, Name> extends { readonly parts: infer Parts extends readonly unknown[] }
    ? Parts
    : readonly [];

type PartValue<Kinds extends ShownKinds | GivenKinds, Declaration, Part> = Part extends {
  readonly attribute: infer Name;
}
  ? SearchedValue<Kinds, Extract<Attribute<Declaration>, { readonly name: Name }>>
  : string;

/** A set is found by each of its members. */
type SearchedValue<Kinds extends ShownKinds | GivenKinds, Element> = Element extends {
  readonly kind: 'set';
}
  ? MemberOf<Kinds, Element>
  : ValueOf<Kinds, Element>;

/** The values of a search's leading parts, in their order: none, some or all. */
type Leading<Declaration, Parts extends readonly unknown[]> = Parts extends readonly [
  infer First,
  ...infer Rest,
]
  ? | readonly []
    | readonly [PartValue<GivenKinds, Declaration, First>, ...Leading<Declaration, Rest>]
  : readonly [];

export type SearchName<Declaration> = NameIn<Declaration, 'searches'>;
export type RankingName<Declaration> = NameIn<Declaration, 'rankings'>;

/** What a search is asked: its leading parts are equal to `eq`, the one behind them begins so or is in the range. */
export interface SearchAsk<Declaration, Name> {
  eq?: Leading<Declaration, PartsOf<Declaration, Name>>;
  prefix?: string;
  from?: PartValue<GivenKinds, Declaration, PartsOf<Declaration, Name>[number]>;
  to?: PartValue<GivenKinds, Declaration, PartsOf<Declaration, Name>[number]>;
  timeZone?: string;
  order?: 'ascending' | 'descending';
}

type NameOfPart<Part> = Part extends { readonly attribute: infer Name extends string }
  ? Name
  : Part extends { readonly relation: infer Name extends string }
    ? Name
    : never;

/** What a search finds: an id, and the values that it was found by. */
export interface FoundOf<Declaration, Name> {
  id: string;
  values: Show<{
    [Part in PartsOf<Declaration, Name>[number] as NameOfPart<Part>]: PartValue<
      ShownKinds,
      Declaration,
      Part
    >;
  }>;
}

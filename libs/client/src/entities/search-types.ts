import type { Listed, NameIn } from './declare-type.ts';
import type { Attribute, GivenKinds, MemberOf, Show, ShownKinds, ValueOf } from './value-types.ts';

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

import type { NameIn } from './declare-type.ts';
import type {
  Attribute,
  InputKinds,
  ListElement,
  MemberOf,
  NameOf,
  OutputKinds,
  Simplify,
  ValueOf,
} from './value-types.ts';

type SearchDeclaration<Declaration, Name> = Extract<
  ListElement<Declaration, 'searches'>,
  { readonly name: Name }
>;
type PartsOf<Declaration, Name> =
  SearchDeclaration<Declaration, Name> extends {
    readonly parts: infer Parts extends readonly unknown[];
  }
    ? Parts
    : readonly [];

export type PartValue<Kinds extends OutputKinds | InputKinds, Declaration, Part> = Part extends {
  readonly attribute: infer Name;
}
  ? SearchedValue<Kinds, Extract<Attribute<Declaration>, { readonly name: Name }>>
  : string;

/** A set is matched by each of its members. */
type SearchedValue<Kinds extends OutputKinds | InputKinds, Element> = Element extends {
  readonly kind: 'set';
}
  ? MemberOf<Kinds, Element>
  : ValueOf<Kinds, Element>;

/** The values of a search's leading parts, in order: none, some or all. */
type LeadingValues<Declaration, Parts extends readonly unknown[]> = Parts extends readonly [
  infer First,
  ...infer Rest,
]
  ? | readonly []
    | readonly [PartValue<InputKinds, Declaration, First>, ...LeadingValues<Declaration, Rest>]
  : readonly [];

export type SearchName<Declaration> = NameIn<Declaration, 'searches'>;
export type RankingName<Declaration> = NameIn<Declaration, 'rankings'>;

type Ranking<Declaration> = ListElement<Declaration, 'rankings'>;

/** Rankings within a relation, of which each related entity has its own. */
export type RankingWithin<Declaration> = NameOf<
  Extract<Ranking<Declaration>, { readonly within: string }>
>;
export type RankingOfAll<Declaration> = NameOf<
  Exclude<Ranking<Declaration>, { readonly within: string }>
>;

/** Rankings of which each day, week or month has its own. */
type RankingOfPeriod<Declaration> = NameOf<
  Extract<Ranking<Declaration>, { readonly period: object }>
>;

/** The period to list: its name, such as `2026-W48`, or a time in it, such as `now-1w`; default: the current one. */
export type PeriodInput<Declaration, Name> =
  Name extends RankingOfPeriod<Declaration> ? { period?: string } : { period?: never };

/** The name of the listed period. */
export type PeriodOutput<Declaration, Name> =
  Name extends RankingOfPeriod<Declaration> ? { period: string } : object;

/** The parameters of a search: its leading parts equal `eq`, the next part has the prefix or is in the range. */
export interface SearchQuery<Declaration, Name> {
  eq?: LeadingValues<Declaration, PartsOf<Declaration, Name>>;
  prefix?: string;
  from?: PartValue<InputKinds, Declaration, PartsOf<Declaration, Name>[number]>;
  to?: PartValue<InputKinds, Declaration, PartsOf<Declaration, Name>[number]>;
  timeZone?: string;
  order?: 'ascending' | 'descending';
}

export type NameOfPart<Part> = Part extends { readonly attribute: infer Name extends string }
  ? Name
  : Part extends { readonly relation: infer Name extends string }
    ? Name
    : never;

/** A search result: an id, and the matched values. */
export interface FoundOf<Declaration, Name> {
  id: string;
  values: Simplify<{
    [Part in PartsOf<Declaration, Name>[number] as NameOfPart<Part>]: PartValue<
      OutputKinds,
      Declaration,
      Part
    >;
  }>;
}

import type { TypeDeclaration } from './declare-type.ts';
import type { EntityOf } from './entity-types.ts';
import type { NoInclude, WithIncluded } from './include-types.ts';
import type { NameOfPart, PartValue } from './search-types.ts';
import type { InputKinds, ListElement, OutputKinds } from './value-types.ts';

type Filter<Declaration> = ListElement<Declaration, 'filters'>;

/** Names of the attributes and relations of `filters`. */
export type FilterName<Declaration> = NameOfPart<Filter<Declaration>>;

/** All given conditions must match; only `equals`, `oneOf` and `exists: false` are alternatives. */
export interface FilterCondition<Value> {
  equals?: Value;
  /** Matches any of the values. */
  oneOf?: readonly Value[];
  above?: Value;
  atLeast?: Value;
  below?: Value;
  atMost?: Value;
  /** Matches none of the values; also matches where there is no value. */
  noneOf?: readonly Value[];
  /** Whether there is any value. */
  exists?: boolean;
}

export type TextFilters<Declaration> = {
  [Part in Filter<Declaration> as NameOfPart<Part>]?: FilterCondition<
    PartValue<InputKinds, Declaration, Part>
  >;
};

/** `order` is that of the values of `orderBy`; hits without a value come last. */
type TextOrder<Name> =
  | { orderBy: Name; order?: 'ascending' | 'descending' }
  | { orderBy?: undefined; order?: undefined };

/** Without filters, only entities with texts are in the index. */
type Words<Declaration> = [FilterName<Declaration>] extends [never]
  ? { q: string }
  : { q?: string };

export type TextSearch<Declaration, IsWhole, Facet> = Words<Declaration> &
  TextOrder<FilterName<Declaration>> & {
    filters?: TextFilters<Declaration>;
    /** Filters whose values are counted among all hits. */
    facets?: readonly Facet[];
    /** Whether the counts of a facet leave out the filters of its own name. */
    multiSelect?: boolean;
    /** Time zone of dates and local times in `filters`. */
    timeZone?: string;
    /** Returns the entities, too: one DynamoDB request per 100. */
    whole?: IsWhole;
    limit?: number;
  };

export type TextHitOf<Declaration extends TypeDeclaration, IsWhole, Include = NoInclude> = {
  type: Declaration['name'];
  id: string;
  /** Only when sorted by relevance. */
  score?: number;
} & (IsWhole extends true ? { entity: EntityOf<Declaration> & WithIncluded<Include> } : object);

/** The most frequent values of a filter. */
type FacetOf<Declaration, Name> = Name extends string
  ? {
      name: Name;
      values: { value: FacetValue<Declaration, Name>; count: number }[];
      /** Hits that have another value. */
      others: number;
    }
  : never;

type FacetValue<Declaration, Name> = PartValue<
  OutputKinds,
  Declaration,
  Extract<Filter<Declaration>, { readonly attribute: Name } | { readonly relation: Name }>
>;

/** Properties of a page beside its items. */
export type TextPage<Declaration, Facet> = {
  /** The index has all changes up to this time. */
  asOf: string;
  staleMs: number;
} & ([Facet] extends [never] ? object : { facets: FacetOf<Declaration, Facet>[] });

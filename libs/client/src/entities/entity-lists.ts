import { ProblemError } from '../http/problem-error.ts';
import { includeInput } from './include-input.ts';
import { ItemList } from './item-list.ts';
import { textSearchInput } from './text-search.ts';
import type { RelatedEntityEitherWay } from '../generated/catalog.ts';
import type { ServiceResponse, CallOptions } from '../http/http-client.ts';
import type { CatalogMethods } from './catalog-methods.ts';
import type { TypeDeclaration } from './declare-type.ts';
import type { FieldOf, PartOf } from './entity-types.ts';
import type { IncludeOf, Including, NoInclude, WithIncluded } from './include-types.ts';
import type { RankedOf, RelatedQuery, RelatedOf, EntityListOptions } from './list-types.ts';
import type { RankingRange } from './ranking-range.ts';
import type { RelationBetween, RelationOf } from './relation-types.ts';
import type {
  FoundOf,
  PeriodInput,
  PeriodOutput,
  RankingName,
  RankingOfAll,
  RankingWithin,
  SearchQuery,
  SearchName,
} from './search-types.ts';
import type { NameOf, Relation } from './value-types.ts';
import type { FilterName, TextHitOf, TextPage, TextSearch } from './text-search-types.ts';

type ListName = 'listEntities' | 'searchEntities' | 'listRelated' | 'listAllRelated' | 'getRanking';
type AnyList = (
  input: object,
  options?: CallOptions,
) => Promise<ServiceResponse<{ items: unknown[]; cursor?: string | undefined }>>;

/** The lists of entities of one type. */
export class EntityLists<const Declaration extends TypeDeclaration> {
  readonly #catalog: CatalogMethods;
  readonly #type: string;

  constructor(catalog: CatalogMethods, type: string) {
    this.#catalog = catalog;
    this.#type = type;
  }

  /** All entities, in the order of their ids. */
  list<
    Field extends FieldOf<Declaration> = FieldOf<Declaration>,
    const Include extends IncludeOf<Declaration> = NoInclude,
  >(
    asked: Including<Declaration, Include> & {
      order?: 'ascending' | 'descending';
      /** Whether to include relations to many. */
      whole?: boolean;
      fields?: readonly Field[];
      limit?: number;
    } = {},
    options?: CallOptions,
  ): ItemList<PartOf<Declaration, Field> & WithIncluded<Include>> {
    return this.#list('listEntities', asked, options);
  }

  /** The results of a search, in its order. */
  search<
    Name extends SearchName<Declaration>,
    IsWhole extends boolean = false,
    Field extends FieldOf<Declaration> = FieldOf<Declaration>,
    const Include extends IncludeOf<Declaration> = NoInclude,
  >(
    name: Name,
    asked: SearchQuery<Declaration, Name> &
      EntityListOptions<IsWhole, Field> &
      Including<Declaration, Include> = {},
    options?: CallOptions,
  ): ItemList<
    IsWhole extends true
      ? PartOf<Declaration, Field> & WithIncluded<Include>
      : FoundOf<Declaration, Name>
  > {
    return this.#list('searchEntities', { name, ...asked }, options);
  }

  /** The entities of a type that are related to this one, in either direction. */
  related<
    Other extends TypeDeclaration,
    IsWhole extends boolean = false,
    Field extends FieldOf<Other> = FieldOf<Other>,
    const Include extends IncludeOf<Other> = NoInclude,
  >(
    id: string,
    other: Other,
    asked: EntityListOptions<IsWhole, Field> &
      RelatedQuery<RelationBetween<Declaration, Other>> &
      Including<Other, Include> = {},
    options?: CallOptions,
  ): ItemList<
    RelatedOf<Declaration, Other> &
      (IsWhole extends true ? { entity: PartOf<Other, Field> & WithIncluded<Include> } : object)
  > {
    return this.#list('listRelated', { id, otherType: other.name, ...asked }, options);
  }

  /** The relation from an entity to another one, with its attributes, or undefined. */
  async relation<Name extends NameOf<Relation<Declaration>>>(
    id: string,
    name: Name,
    other: string,
    options?: CallOptions,
  ): Promise<RelationOf<Declaration, Name> | undefined> {
    try {
      const input = { type: this.#type, id, name, other };
      return (await this.#catalog.getRelation(input, options)).body as never;
    } catch (error) {
      if (error instanceof ProblemError && error.type === 'relation-not-found') return undefined;
      throw error;
    }
  }

  /** The entities of all types related to this one: first outgoing, then incoming relations. */
  allRelated(
    id: string,
    asked: EntityListOptions<boolean> & RelatedQuery = {},
    options?: CallOptions,
  ): ItemList<RelatedEntityEitherWay> {
    return this.#list('listAllRelated', { id, ...asked }, options);
  }

  /** Entities found by their texts, or by `filters` alone. */
  searchTexts<
    IsWhole extends boolean = false,
    Facet extends FilterName<Declaration> = never,
    const Include extends IncludeOf<Declaration> = NoInclude,
  >(
    asked: TextSearch<Declaration, IsWhole, Facet> & Including<Declaration, Include>,
    options?: CallOptions,
  ): ItemList<
    TextHitOf<Declaration, IsWhole, Include>,
    TextPage<Declaration, Facet>,
    { total: number }
  > {
    const input = textSearchInput(this.#type, asked);
    return new ItemList((page) => this.#catalog.searchTexts({ ...input, ...page }, options));
  }

  /**
   * The entities in the order of a ranking; of a ranking within a relation, those related to `within`; of a ranking per
   * period, those of the period.
   */
  ranking<
    Name extends RankingOfAll<Declaration>,
    Field extends FieldOf<Declaration> = FieldOf<Declaration>,
    const Include extends IncludeOf<Declaration> = NoInclude,
  >(
    name: Name,
    asked?: EntityListOptions<boolean, Field> &
      Including<Declaration, Include> &
      RankingRange &
      PeriodInput<Declaration, Name>,
    options?: CallOptions,
  ): ItemList<RankedOf<Declaration, Field, Include>, PeriodOutput<Declaration, Name>>;
  ranking<
    Name extends RankingWithin<Declaration>,
    Field extends FieldOf<Declaration> = FieldOf<Declaration>,
    const Include extends IncludeOf<Declaration> = NoInclude,
  >(
    name: Name,
    asked: EntityListOptions<boolean, Field> &
      Including<Declaration, Include> &
      RankingRange & { within: string } & PeriodInput<Declaration, Name>,
    options?: CallOptions,
  ): ItemList<RankedOf<Declaration, Field, Include>, PeriodOutput<Declaration, Name>>;
  ranking<Field extends FieldOf<Declaration>, Include>(
    name: string,
    asked: object = {},
    options?: CallOptions,
  ): ItemList<RankedOf<Declaration, Field, Include>> {
    return this.#list('getRanking', { name, ...asked }, options);
  }

  /** The rank of an entity, and its neighbours. */
  async rank(
    name: RankingName<Declaration>,
    id: string,
    asked: { neighbours?: number } = {},
    options?: CallOptions,
  ) {
    return (await this.#catalog.getRank({ type: this.#type, name, id, ...asked }, options)).body;
  }

  /** A list of the catalog with these parameters, page by page. */
  #list<Item>(operation: ListName, asked: object, options?: CallOptions): ItemList<Item> {
    const ask = this.#catalog[operation] as AnyList;
    const { include, ...given } = asked as { include?: object };
    const input = { type: this.#type, ...given, ...includeInput(include) };
    return new ItemList((page) => ask({ ...input, ...page }, options));
  }
}

import { ProblemError } from '../http/problem-error.ts';
import { writeJson } from '../http/request-of.ts';
import { lostLock } from '../http/retry.ts';
import { createAll } from './create-all.ts';
import { ItemList } from './item-list.ts';
import { tagged } from './tagged.ts';
import { EntityOperations } from './transaction.ts';
import type {
  ChangeRelationInput,
  PatchEntityInput,
  PutEntityInput,
  RelatedEntityEitherWay,
} from '../generated/catalog.ts';
import type { ServiceResponse, CallOptions } from '../http/http-client.ts';
import type { CatalogMethods } from './catalog-methods.ts';
import type { CreateAllOptions, Creation, EntityInput, NewEntityOf } from './create-all.ts';
import type { TypeDeclaration } from './declare-type.ts';
import type {
  Conditions,
  EntityChange,
  EntityContent,
  EntityOf,
  FieldOf,
  PartOf,
  Tagged,
} from './entity-types.ts';
import type { RankedOf, RelatedQuery, RelatedOf, EntityListOptions } from './list-types.ts';
import type { RelationBetween, RelationChange } from './relation-types.ts';
import type { NameOf, RelationToMany } from './value-types.ts';
import type { FoundOf, RankingName, SearchQuery, SearchName } from './search-types.ts';

type ListName = 'listEntities' | 'searchEntities' | 'listRelated' | 'listAllRelated' | 'getRanking';
type AnyList = (
  input: object,
  options?: CallOptions,
) => Promise<ServiceResponse<{ items: unknown[]; cursor?: string | undefined }>>;

/**
 * The entities of one type, with the declared names and kinds. Each method throws ProblemError for a rejected request.
 */
export class EntityClient<const Declaration extends TypeDeclaration> {
  readonly #catalog: CatalogMethods;
  readonly #declaration: Declaration;
  readonly #type: string;
  /** Operations on these entities for `client.transaction`. */
  readonly operation: EntityOperations<Declaration>;

  constructor(catalog: CatalogMethods, declaration: Declaration) {
    this.#catalog = catalog;
    this.#declaration = declaration;
    this.#type = declaration.name;
    this.operation = new EntityOperations(declaration);
  }

  /** Declares the type, or replaces its declaration. */
  async declare(options?: CallOptions): Promise<void> {
    const { name: type, ...body } = this.#declaration;
    await this.#catalog.putType(
      { type, body } as Parameters<CatalogMethods['putType']>[0],
      options,
    );
  }

  /**
   * An entity with its relations, or undefined; with `fields`, a part of it, whose ETag is not valid for `ifMatch`. Of
   * a relation to more than 1,000 entities it has a part, in `relationParts`; `related` lists them all.
   */
  async get<Field extends FieldOf<Declaration> = FieldOf<Declaration>>(
    id: string,
    { fields, ...options }: CallOptions & { fields?: readonly Field[] } = {},
  ): Promise<Tagged<PartOf<Declaration, Field>> | undefined> {
    try {
      const input = { type: this.#type, id, ...(fields && { fields: [...fields] }) };
      return tagged(await this.#catalog.getEntity(input, options));
    } catch (error) {
      if (error instanceof ProblemError && error.type === 'entity-not-found') return undefined;
      throw error;
    }
  }

  /** Creates or replaces an entity; `ifNoneMatch: '*'` only creates. */
  async put(
    id: string,
    content: EntityContent<Declaration>,
    options?: CallOptions & { ifMatch?: string; ifNoneMatch?: '*' },
  ): Promise<Tagged<EntityOf<Declaration>>> {
    const body = content as PutEntityInput['body'];
    const { ifMatch, ifNoneMatch } = options ?? {};
    const input = { type: this.#type, id, body, ifMatch, ifNoneMatch };
    return tagged(await this.#catalog.putEntity(input, options));
  }

  /** Adds and removes related entities of a relation to many; the others stay, however many there are. */
  async relate<Name extends NameOf<RelationToMany<Declaration>>>(
    id: string,
    relation: Name,
    change: RelationChange<Declaration, Name>,
    options?: CallOptions & { ifMatch?: string },
  ): Promise<Tagged<EntityOf<Declaration>>> {
    const body = change as ChangeRelationInput['body'];
    const input = { type: this.#type, id, name: relation, body, ifMatch: options?.ifMatch };
    // Repeated, it changes nothing, unless the first attempt has made the ETag outdated.
    const isSafeToRepeat = options?.ifMatch === undefined;
    return tagged(await this.#catalog.changeRelation(input, { isSafeToRepeat, ...options }));
  }

  /** Changes the named attributes and relations; others stay. */
  async patch(
    id: string,
    change: EntityChange<Declaration>,
    options?: CallOptions & { ifMatch?: string },
  ): Promise<Tagged<EntityOf<Declaration>>> {
    const body = change as PatchEntityInput['body'];
    const input = { type: this.#type, id, body, ifMatch: options?.ifMatch };
    return tagged(await this.#catalog.patchEntity(input, options));
  }

  /**
   * Computes a change from the current entity: reads the entity, calls `change`, and patches on the condition that no
   * concurrent write has changed the entity; otherwise retries from the read.
   * @throws ProblemError of the last of `maxAttempts` (10), each of which has the client's retries
   */
  async update(
    id: string,
    change: (entity: EntityOf<Declaration>) => EntityChange<Declaration>,
    options: CallOptions & { maxAttempts?: number } = {},
  ): Promise<Tagged<EntityOf<Declaration>>> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#catalog.getEntity({ type: this.#type, id }, options);
      const entity: Tagged<EntityOf<Declaration>> = tagged(answer);
      try {
        return await this.patch(id, change(entity), { ...options, ifMatch: entity.etag });
      } catch (error) {
        if (!isOvertaken(error) || attempt >= (options.maxAttempts ?? 10)) throw error;
      }
    }
  }

  /** `detach` also removes relations of other entities to this one. */
  async delete(
    id: string,
    {
      ifMatch,
      detach,
      conditions,
      ...options
    }: CallOptions & {
      ifMatch?: string;
      detach?: boolean;
      conditions?: Conditions<Declaration>;
    } = {},
  ): Promise<void> {
    const given = conditions && { conditions: writeJson(conditions) };
    await this.#catalog.deleteEntity({ type: this.#type, id, ifMatch, detach, ...given }, options);
  }

  /** Creates many entities: entities without an `id` get one, existing entities stay or are replaced. */
  createAll(
    entities: Iterable<NewEntityOf<Declaration>> | AsyncIterable<NewEntityOf<Declaration>>,
    options: CreateAllOptions = {},
  ): Promise<Creation> {
    return createAll(this.#catalog, this.#type, entities as Iterable<EntityInput>, options);
  }

  /** All entities, in the order of their ids. */
  list<Field extends FieldOf<Declaration> = FieldOf<Declaration>>(
    asked: {
      order?: 'ascending' | 'descending';
      /** Whether to include relations to many. */
      whole?: boolean;
      fields?: readonly Field[];
      limit?: number;
    } = {},
    options?: CallOptions,
  ): ItemList<PartOf<Declaration, Field>> {
    return this.#list('listEntities', asked, options);
  }

  /** The results of a search, in its order. */
  search<
    Name extends SearchName<Declaration>,
    IsWhole extends boolean = false,
    Field extends FieldOf<Declaration> = FieldOf<Declaration>,
  >(
    name: Name,
    asked: SearchQuery<Declaration, Name> & EntityListOptions<IsWhole, Field> = {},
    options?: CallOptions,
  ): ItemList<IsWhole extends true ? PartOf<Declaration, Field> : FoundOf<Declaration, Name>> {
    return this.#list('searchEntities', { name, ...asked }, options);
  }

  /** The entities of a type that are related to this one, in either direction. */
  related<
    Other extends TypeDeclaration,
    IsWhole extends boolean = false,
    Field extends FieldOf<Other> = FieldOf<Other>,
  >(
    id: string,
    other: Other,
    asked: EntityListOptions<IsWhole, Field> &
      RelatedQuery<RelationBetween<Declaration, Other>> = {},
    options?: CallOptions,
  ): ItemList<
    RelatedOf<Declaration, Other> &
      (IsWhole extends true ? { entity: PartOf<Other, Field> } : object)
  > {
    return this.#list('listRelated', { id, otherType: other.name, ...asked }, options);
  }

  /** The entities of all types related to this one: first outgoing, then incoming relations. */
  allRelated(
    id: string,
    asked: EntityListOptions<boolean> & RelatedQuery = {},
    options?: CallOptions,
  ): ItemList<RelatedEntityEitherWay> {
    return this.#list('listAllRelated', { id, ...asked }, options);
  }

  /** The entities in the order of a ranking. */
  ranking<Field extends FieldOf<Declaration> = FieldOf<Declaration>>(
    name: RankingName<Declaration>,
    asked: EntityListOptions<boolean, Field> & { within?: string } = {},
    options?: CallOptions,
  ): ItemList<RankedOf<Declaration, Field>> {
    return this.#list('getRanking', { name, ...asked }, options);
  }

  /** The rank of an entity, and its neighbours. */
  async rank(
    name: RankingName<Declaration>,
    id: string,
    asked: { within?: string; neighbours?: number } = {},
    options?: CallOptions,
  ) {
    return (await this.#catalog.getRank({ type: this.#type, name, id, ...asked }, options)).body;
  }

  /** A list of the catalog with these parameters, page by page. */
  #list<Item>(operation: ListName, asked: object, options?: CallOptions): ItemList<Item> {
    const ask = this.#catalog[operation] as AnyList;
    return new ItemList((page) => ask({ type: this.#type, ...asked, ...page }, options));
  }
}

/** Whether other clients changed the entity after it was read. */
function isOvertaken(error: unknown): boolean {
  return error instanceof ProblemError && (error.status === 412 || error.type === lostLock);
}

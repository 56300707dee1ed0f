import { ProblemError } from '../http/problem-error.ts';
import { writeJson } from '../http/request-of.ts';
import { createAll } from './create-all.ts';
import { ItemList } from './item-list.ts';
import { EntityOperations } from './transaction.ts';
import type {
  catalogOperations,
  PatchEntityInput,
  PutEntityInput,
  RelatedEntityEitherWay,
} from '../generated/catalog.ts';
import type { ServiceResponse, CallOptions } from '../http/http-client.ts';
import type { Methods } from '../methods.ts';
import type { CreateAllOptions, Creation, Entry, NewEntityOf } from './create-all.ts';
import type { TypeDeclaration } from './declare-type.ts';
import type {
  Conditions,
  EntityChange,
  EntityContent,
  EntityOf,
  FieldOf,
  PartOf,
} from './entity-types.ts';
import type { RankedOf, RelatedAsk, RelatedOf, Whole } from './list-types.ts';
import type { RelationBetween } from './relation-types.ts';
import type { FoundOf, RankingName, SearchAsk, SearchName } from './search-types.ts';

export type CatalogMethods = Methods<typeof catalogOperations>;

/** An entity with what `ifMatch` takes. */
export type Tagged<Entity> = Entity & { etag: string };

type ListName = 'listEntities' | 'searchEntities' | 'listRelated' | 'listAllRelated' | 'getRanking';
type AnyList = (
  input: object,
  options?: CallOptions,
) => Promise<ServiceResponse<{ items: unknown[]; cursor?: string | undefined }>>;

/** The entities of one type, with its own names and kinds. Each method throws ProblemError for what is refused. */
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

  /** Declares the type, or changes it to what it is now. */
  async declare(options?: CallOptions): Promise<void> {
    const { name: type, ...body } = this.#declaration;
    await this.#catalog.putType(
      { type, body } as Parameters<CatalogMethods['putType']>[0],
      options,
    );
  }

  /** An entity with all it relates to, or undefined; with `fields`, a part of it, whose ETag no `ifMatch` meets. */
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

  /** Makes an entity, or all of it anew; `ifNoneMatch: '*'` only makes one. */
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

  /** Changes what it names, and nothing else. */
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
   * Changes an entity by what it is: reads it, asks for the change and patches it on the condition
   * that nobody else has changed it meanwhile; else it begins again.
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
        const isOvertaken = error instanceof ProblemError && error.status === 412;
        if (!isOvertaken || attempt >= (options.maxAttempts ?? 10)) throw error;
      }
    }
  }

  /** `detach` takes away the relations of others to it. */
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

  /** Makes many: those that have no `id` get one, those that are there stay or are replaced. */
  createAll(
    entities: Iterable<NewEntityOf<Declaration>> | AsyncIterable<NewEntityOf<Declaration>>,
    options: CreateAllOptions = {},
  ): Promise<Creation> {
    return createAll(this.#catalog, this.#type, entities as Iterable<Entry>, options);
  }

  /** All of them, in the order of their ids. */
  list<Field extends FieldOf<Declaration> = FieldOf<Declaration>>(
    asked: {
      order?: 'ascending' | 'descending';
      /** Whether to give relations to many, too. */
      whole?: boolean;
      fields?: readonly Field[];
      limit?: number;
    } = {},
    options?: CallOptions,
  ): ItemList<PartOf<Declaration, Field>> {
    return this.#list('listEntities', asked, options);
  }

  /** What a search finds, in its order. */
  search<
    Name extends SearchName<Declaration>,
    IsWhole extends boolean = false,
    Field extends FieldOf<Declaration> = FieldOf<Declaration>,
  >(
    name: Name,
    asked: SearchAsk<Declaration, Name> & Whole<IsWhole, Field> = {},
    options?: CallOptions,
  ): ItemList<IsWhole extends true ? PartOf<Declaration, Field> : FoundOf<Declaration, Name>> {
    return this.#list('searchEntities', { name, ...asked }, options);
  }

  /** The entities of a type that it relates to, or that relate to it. */
  related<
    Other extends TypeDeclaration,
    IsWhole extends boolean = false,
    Field extends FieldOf<Other> = FieldOf<Other>,
  >(
    id: string,
    other: Other,
    asked: Whole<IsWhole, Field> & RelatedAsk<RelationBetween<Declaration, Other>> = {},
    options?: CallOptions,
  ): ItemList<
    RelatedOf<Declaration, Other> &
      (IsWhole extends true ? { entity: PartOf<Other, Field> } : object)
  > {
    return this.#list('listRelated', { id, otherType: other.name, ...asked }, options);
  }

  /** The entities of all types that it relates to, then those that relate to it. */
  allRelated(
    id: string,
    asked: Whole<boolean> & RelatedAsk = {},
    options?: CallOptions,
  ): ItemList<RelatedEntityEitherWay> {
    return this.#list('listAllRelated', { id, ...asked }, options);
  }

  /** The entities in the order of a ranking. */
  ranking<Field extends FieldOf<Declaration> = FieldOf<Declaration>>(
    name: RankingName<Declaration>,
    asked: Whole<boolean, Field> & { within?: string } = {},
    options?: CallOptions,
  ): ItemList<RankedOf<Declaration, Field>> {
    return this.#list('getRanking', { name, ...asked }, options);
  }

  /** Where an entity stands in a ranking, and those around it. */
  async rank(
    name: RankingName<Declaration>,
    id: string,
    asked: { within?: string; neighbours?: number } = {},
    options?: CallOptions,
  ) {
    return (await this.#catalog.getRank({ type: this.#type, name, id, ...asked }, options)).body;
  }

  /** Each page of a list of the catalog, with these parameters. */
  #list<Item>(operation: ListName, asked: object, options?: CallOptions): ItemList<Item> {
    const ask = this.#catalog[operation] as AnyList;
    return new ItemList((page) => ask({ type: this.#type, ...asked, ...page }, options));
  }
}

/** The answers of the catalog are as the type has been declared. */
function tagged({ body, etag }: ServiceResponse<object>): never {
  return { ...body, etag } as never;
}

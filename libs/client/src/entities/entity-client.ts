import { ProblemError } from '../http/problem-error.ts';
import type { catalogOperations, PatchEntityInput, PutEntityInput } from '../generated/catalog.ts';
import type { Answer, CallOptions } from '../http/http-client.ts';
import type { Methods } from '../methods.ts';
import type { TypeDeclaration } from './declare-type.ts';
import type {
  EntityChange,
  EntityContent,
  EntityOf,
  FoundOf,
  RankingName,
  SearchAsk,
  SearchName,
} from './entity-types.ts';

export type CatalogMethods = Methods<typeof catalogOperations>;

/** An entity with what `ifMatch` takes. */
export type Tagged<Entity> = Entity & { etag: string };

/** Entities themselves in place of what an index has of them: a request more for each 100. */
export interface Whole<IsWhole extends boolean> {
  whole?: IsWhole;
  /** Of a page. */
  limit?: number;
}

export interface RankedOf<Declaration extends TypeDeclaration> {
  rank: number;
  id: string;
  value: number | string;
  /** With `whole`. */
  entity?: EntityOf<Declaration>;
}

/** The entities of one type, with its own names and kinds. Each method throws ProblemError for what is refused. */
export class EntityClient<const Declaration extends TypeDeclaration> {
  readonly #catalog: CatalogMethods;
  readonly #declaration: Declaration;
  readonly #type: string;

  constructor(catalog: CatalogMethods, declaration: Declaration) {
    this.#catalog = catalog;
    this.#declaration = declaration;
    this.#type = declaration.name;
  }

  /** Declares the type, or changes it to what it is now. */
  async declare(options?: CallOptions): Promise<void> {
    const { name: type, ...body } = this.#declaration;
    await this.#catalog.putType(
      { type, body } as Parameters<CatalogMethods['putType']>[0],
      options,
    );
  }

  /** An entity with all it relates to, or undefined. */
  async get(id: string, options?: CallOptions): Promise<Tagged<EntityOf<Declaration>> | undefined> {
    try {
      const answer = await this.#catalog.getEntity({ type: this.#type, id }, options);
      return tagged(answer);
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
   * Changes an entity by what it is: reads it, asks for the change and patches it on the condition that nobody else has changed it
   * meanwhile; else it begins again.
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
    options?: CallOptions & { ifMatch?: string; detach?: boolean },
  ): Promise<void> {
    const { ifMatch, detach } = options ?? {};
    await this.#catalog.deleteEntity({ type: this.#type, id, ifMatch, detach }, options);
  }

  /** All of them, in the order of their creation. */
  list(
    asked: { order?: 'ascending' | 'descending'; limit?: number } = {},
    options?: CallOptions,
  ): AsyncGenerator<EntityOf<Declaration>> {
    return this.#catalog.listEntities.items({ type: this.#type, ...asked }, options) as never;
  }

  /** What a search finds, in its order. */
  search<Name extends SearchName<Declaration>, IsWhole extends boolean = false>(
    name: Name,
    asked: SearchAsk<Declaration, Name> & Whole<IsWhole> = {},
    options?: CallOptions,
  ): AsyncGenerator<IsWhole extends true ? EntityOf<Declaration> : FoundOf<Declaration, Name>> {
    const input = { type: this.#type, name, ...(asked as { eq?: never }) };
    return this.#catalog.searchEntities.items(input, options) as never;
  }

  /** The entities of a type that it relates to, or that relate to it. */
  related<Other extends TypeDeclaration, IsWhole extends boolean = false>(
    id: string,
    other: Other,
    asked: Whole<IsWhole> & {
      relation?: string;
      direction?: 'forward' | 'backward';
      order?: 'ascending' | 'descending';
    } = {},
    options?: CallOptions,
  ): AsyncGenerator<
    { id: string; relations: string[] } & (IsWhole extends true
      ? { entity: EntityOf<Other> }
      : object)
  > {
    const input = { type: this.#type, id, otherType: other.name, ...asked };
    return this.#catalog.listRelated.items(input, options) as never;
  }

  /** The entities in the order of a ranking. */
  ranking(
    name: RankingName<Declaration>,
    asked: { within?: string; whole?: boolean; limit?: number } = {},
    options?: CallOptions,
  ): AsyncGenerator<RankedOf<Declaration>> {
    return this.#catalog.getRanking.items({ type: this.#type, name, ...asked }, options) as never;
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
}

/** The answers of the catalog are as the type has been declared. */
function tagged({ body, etag }: Answer<object>): never {
  return { ...body, etag } as never;
}

import { writeJson } from '../http/request-of.ts';
import { createAll } from './create-all.ts';
import { EntityLists } from './entity-lists.ts';
import { retryOvertaken } from './retry-overtaken.ts';
import { tagged, taggedOrAbsent, withoutTag } from './tagged.ts';
import { EntityOperations } from './transaction.ts';
import type {
  ChangeRelationInput,
  GetEntityByValueInput,
  PatchEntityInput,
  PutEntityInput,
} from '../generated/catalog.ts';
import type { CallOptions } from '../http/http-client.ts';
import type { CatalogMethods } from './catalog-methods.ts';
import type { CreateAllOptions, Creation, EntityInput, NewEntityOf } from './create-all.ts';
import type { TypeDeclaration } from './declare-type.ts';
import type {
  Conditions,
  EntityChange,
  EntityOf,
  EntityToPut,
  FieldOf,
  PartOf,
  Tagged,
} from './entity-types.ts';
import type { RelationChange } from './relation-types.ts';
import type { NameOf, RelationToMany, UniqueName, UniqueValueOf } from './value-types.ts';

/**
 * The entities of one type, with the declared names and kinds. Each method throws ProblemError for a rejected request.
 */
export class EntityClient<
  const Declaration extends TypeDeclaration,
> extends EntityLists<Declaration> {
  readonly #catalog: CatalogMethods;
  readonly #declaration: Declaration;
  readonly #type: string;
  /** Operations on these entities for `client.transaction`. */
  readonly operation: EntityOperations<Declaration>;

  constructor(catalog: CatalogMethods, declaration: Declaration) {
    super(catalog, declaration.name);
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
    const input = { type: this.#type, id, ...(fields && { fields: [...fields] }) };
    return taggedOrAbsent(this.#catalog.getEntity(input, options));
  }

  /** The entity that has this value of a unique attribute, or undefined; without its relations to many. */
  async getBy<
    Name extends UniqueName<Declaration>,
    Field extends FieldOf<Declaration> = FieldOf<Declaration>,
  >(
    attribute: Name,
    value: UniqueValueOf<Declaration, Name>,
    { fields, ...options }: CallOptions & { fields?: readonly Field[] } = {},
  ): Promise<Tagged<PartOf<Declaration, Field>> | undefined> {
    const input = { type: this.#type, attribute, value, ...(fields && { fields: [...fields] }) };
    return taggedOrAbsent(this.#catalog.getEntityByValue(input as GetEntityByValueInput, options));
  }

  /** Creates or replaces an entity; `ifNoneMatch: '*'` only creates. A `version` that is not the stored one: 412. */
  async put(
    id: string,
    content: EntityToPut<Declaration>,
    options?: CallOptions & { ifMatch?: string; ifNoneMatch?: '*' },
  ): Promise<Tagged<EntityOf<Declaration>>> {
    const body: PutEntityInput['body'] = withoutTag(content);
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

  /** Changes the named attributes and relations; others stay. `upsert` creates a missing entity. */
  async patch(
    id: string,
    change: EntityChange<Declaration>,
    options?: CallOptions & { ifMatch?: string; upsert?: boolean },
  ): Promise<Tagged<EntityOf<Declaration>>> {
    const body = change as PatchEntityInput['body'];
    const { ifMatch, upsert } = options ?? {};
    const input = { type: this.#type, id, body, ifMatch, upsert };
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
    return retryOvertaken(options.maxAttempts ?? 10, async () => {
      const answer = await this.#catalog.getEntity({ type: this.#type, id }, options);
      const entity: Tagged<EntityOf<Declaration>> = tagged(answer);
      return this.patch(id, change(entity), { ...options, ifMatch: entity.etag });
    });
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
}

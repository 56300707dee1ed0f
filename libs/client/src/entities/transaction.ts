import { withoutTag } from './tagged.ts';
import type { WriteTransactionInput } from '../generated/catalog.ts';
import type { CallOptions } from '../http/http-client.ts';
import type { CatalogMethods } from './catalog-methods.ts';
import type { TypeDeclaration } from './declare-type.ts';
import type { Conditions, EntityChange, EntityOf, EntityToPut, Tagged } from './entity-types.ts';

declare const result: unique symbol;

type OperationBody = WriteTransactionInput['body']['operations'][number];

/** One operation of a transaction, with the type of its result. */
export interface EntityOperation<Result> {
  readonly body: OperationBody;
  readonly [result]?: () => Result;
}

type OperationInput<Operation extends OperationBody['operation']> = Omit<
  Extract<OperationBody, { operation: Operation }>,
  'operation' | 'type'
>;

/** Makes operations of transactions on entities of one type; they are sent by `client.transaction`. */
export class EntityOperations<const Declaration extends TypeDeclaration> {
  readonly #type: string;

  constructor(declaration: Declaration) {
    this.#type = declaration.name;
  }

  put(
    id: string,
    content: EntityToPut<Declaration>,
    expected: { ifMatch?: string; ifNoneMatch?: '*' } = {},
  ): EntityOperation<Tagged<EntityOf<Declaration>>> {
    return this.#operation('put', { ...withoutTag(content), id, ...expected });
  }

  patch(
    id: string,
    change: EntityChange<Declaration>,
    expected: { ifMatch?: string; upsert?: boolean } = {},
  ): EntityOperation<Tagged<EntityOf<Declaration>>> {
    return this.#operation('patch', { id, ...(change as object), ...expected });
  }

  delete(
    id: string,
    expected: { ifMatch?: string; conditions?: Conditions<Declaration>; detach?: boolean } = {},
  ): EntityOperation<undefined> {
    return this.#operation('delete', { id, ...(expected as object) });
  }

  /** Writes nothing; rejects the transaction if the entity is absent or does not meet the expectation. */
  check(
    id: string,
    expected: { ifMatch?: string; conditions?: Conditions<Declaration> } = {},
  ): EntityOperation<{ etag: string }> {
    return this.#operation('check', { id, ...(expected as object) });
  }

  #operation<Operation extends OperationBody['operation']>(
    operation: Operation,
    given: OperationInput<Operation>,
  ): EntityOperation<never> {
    return { body: { operation, type: this.#type, ...given } as unknown as OperationBody };
  }
}

/** The results of the operations, in order. */
export type ResultsOf<Operations extends readonly EntityOperation<unknown>[]> = {
  -readonly [Index in keyof Operations]: Operations[Index] extends EntityOperation<infer Result>
    ? Result
    : never;
};

/** @throws ProblemError of the rejected operation, identified by its position in `errors`; nothing was written */
export async function writeTransaction<
  const Operations extends readonly EntityOperation<unknown>[],
>(
  catalog: CatalogMethods,
  operations: Operations,
  options?: CallOptions,
): Promise<ResultsOf<Operations>> {
  const body = { operations: operations.map((operation) => operation.body) };
  const answer = await catalog.writeTransaction({ body }, options);
  return answer.body.items.map(({ etag, entity }) =>
    etag === undefined ? undefined : { ...entity, etag },
  ) as ResultsOf<Operations>;
}

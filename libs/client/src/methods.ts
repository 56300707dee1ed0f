import type { ServiceResponse, CallOptions, HttpClient } from './http/http-client.ts';
import type { TypedOperation } from './http/operation.ts';

interface Page {
  items: readonly unknown[];
  cursor?: string | undefined;
}

type ItemOf<Output> = Output extends { items: (infer Item)[] } ? Item : never;

/** One request. */
type CallMethod<Input, Output> = (
  input: Input,
  options?: CallOptions,
) => Promise<ServiceResponse<Output>>;

interface Pages<Input, Output> {
  /** The items of all pages from `cursor` on; each page is requested after the previous one was consumed. */
  items: (input: Input, options?: CallOptions) => AsyncGenerator<ItemOf<Output>, void, undefined>;
}

/** The method of an operation; operations of lists have pages, too. */
export type Method<Operation> =
  Operation extends TypedOperation<infer Input, infer Output>
    ? Input extends { cursor?: string | undefined }
      ? Output extends { items: unknown[] }
        ? CallMethod<Input, Output> & Pages<Input, Output>
        : CallMethod<Input, Output>
      : CallMethod<Input, Output>
    : never;

export type Methods<Operations> = { [Name in keyof Operations]: Method<Operations[Name]> };

/** A method for each operation of a service. */
export function methodsOf<Operations extends Record<string, TypedOperation<never, unknown>>>(
  http: HttpClient,
  operations: Operations,
): Methods<Operations> {
  const entries = Object.entries(operations).map(([name, operation]) => {
    const ask = (input: never, options?: CallOptions) => http.send(operation, input, options);
    const items = (input: never, options?: CallOptions) =>
      itemsOf(ask as CallMethod<object, Page>, input, options);
    return [name, Object.assign(ask, { items })] as const;
  });
  return Object.fromEntries(entries) as unknown as Methods<Operations>;
}

/** The items of all pages; each page is requested after the previous one was consumed. */
export async function* itemsOf<Input extends object, Output extends Page>(
  ask: (input: Input, options?: CallOptions) => Promise<ServiceResponse<Output>>,
  input: Input,
  options?: CallOptions,
): AsyncGenerator<ItemOf<Output>, void, undefined> {
  let page: Page = { items: [], cursor: (input as { cursor?: string }).cursor };
  do {
    const { body } = await ask({ ...input, cursor: page.cursor }, options);
    page = body;
    yield* page.items as ItemOf<Output>[];
  } while (page.cursor !== undefined);
}

/** What an operation of a contract sends. */
export interface Operation {
  method: string;
  /** With `{names}` of path parameters. */
  path: string;
  query: readonly string[];
  /** Parameters of the query whose lists have commas in place of being given several times. */
  commas?: readonly string[];
  /** As HTTP has them, such as `if-match`: `ifMatch` in the input. */
  headers?: readonly string[];
  /** Media type of the body. */
  type?: string;
}

declare const inputs: unique symbol;

/** An operation that knows the types of its input and output. */
export interface TypedOperation<Input, Output> extends Operation {
  [inputs]?: (input: Input) => Output;
}

export function operation<Input, Output>(sent: Operation): TypedOperation<Input, Output> {
  return sent;
}

/** The form of an operation's request. */
export interface Operation {
  method: string;
  /** With `{names}` of path parameters. */
  path: string;
  query: readonly string[];
  /** Query parameters whose lists are separated by commas instead of repeated. */
  commas?: readonly string[];
  /** Names of headers, such as `if-match`: `ifMatch` in the input. */
  headers?: readonly string[];
  /** Media type of the body. */
  type?: string;
}

declare const inputs: unique symbol;

/** An operation with the types of its input and output. */
export interface TypedOperation<Input, Output> extends Operation {
  [inputs]?: (input: Input) => Output;
}

export function operation<Input, Output>(sent: Operation): TypedOperation<Input, Output> {
  return sent;
}

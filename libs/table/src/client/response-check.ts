/**
 * A response without the properties that DynamoDB's has: a proxy, a service mesh or a captive portal has answered
 * instead, or the body was changed on its way. Nothing is known about the request then.
 */
export class MalformedResponse extends Error {
  override readonly name = 'MalformedResponse';
  /** The SDK retries errors with this property. */
  readonly $retryable = {};
  readonly $metadata = { httpStatusCode: 200 };

  constructor(detail: string) {
    super(`the response is not one of DynamoDB: ${detail}`);
  }
}

type Output = Readonly<Record<string, unknown>>;

/** Properties of the input that decide which properties the output has. */
interface Input {
  ReturnValues?: string;
  Select?: string;
}

/**
 * The required property of each operation's output that is absent; undefined if none is (API reference, "Response
 * Elements" of each operation). Other operations may have an empty output.
 */
const missingProperty: Readonly<Record<string, (output: Output, input: Input) => string | false>> =
  {
    BatchWriteItem: (output) => !isObject(output['UnprocessedItems']) && 'UnprocessedItems',
    BatchGetItem: (output) => !isObject(output['Responses']) && 'Responses',
    Query: (output, { Select }) =>
      (!Number.isInteger(output['Count']) && 'Count') ||
      (Select !== 'COUNT' && !Array.isArray(output['Items']) && 'Items'),
    UpdateItem: (output, { ReturnValues }) =>
      ReturnValues === 'ALL_NEW' && !isObject(output['Attributes']) && 'Attributes',
  };

/** Properties of the output of an operation that may have none. */
const optionalProperties = ['Item', 'Attributes', 'ConsumedCapacity', 'ItemCollectionMetrics'];

/**
 * Checks that a successful response is one of DynamoDB. An empty object is a valid response of some operations, such as
 * GetItem for an absent item: it is accepted only with a request id, unless this API has never sent one.
 */
export class ResponseCheck {
  #hasRequestIds: boolean;

  /** @param isAws whether the API is that of AWS, which sends request ids */
  constructor({ isAws }: { isAws: boolean }) {
    this.#hasRequestIds = isAws;
  }

  /**
   * @param output with `$metadata`
   * @throws MalformedResponse
   */
  check(operation: string, input: object, output: object): void {
    const properties = output as Output;
    const missing = missingProperty[operation]?.(properties, input) ?? false;
    if (missing !== false) throw new MalformedResponse(`${missing} is missing`);
    const hasRequestId = requestIdOf(properties) !== undefined;
    if (missingProperty[operation] === undefined && this.#hasRequestIds && !hasRequestId) {
      const isEmpty = optionalProperties.every((name) => properties[name] === undefined);
      if (isEmpty) throw new MalformedResponse('it is empty and has no request id');
    }
    this.#hasRequestIds ||= hasRequestId;
  }
}

function requestIdOf({ $metadata }: Output): unknown {
  return ($metadata as { requestId?: string } | undefined)?.requestId;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

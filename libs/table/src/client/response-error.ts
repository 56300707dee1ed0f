import type { SdkError } from '../errors/dynamo-error.ts';

/** A complete response of DynamoDB. */
export interface TableResponse {
  statusCode: number;
  headers: Readonly<Record<string, string | undefined>>;
  body: Uint8Array;
}

/**
 * The JSON object of a successful response.
 * @throws an error with the name, message, properties and `$metadata` that the SDK's error would have; a SyntaxError
 * for a response that is not a JSON object, which a proxy may send
 */
export function parseResponse({ statusCode, headers, body }: TableResponse): object {
  const metadata = {
    httpStatusCode: statusCode,
    ...(headers['x-amzn-requestid'] !== undefined && { requestId: headers['x-amzn-requestid'] }),
  };
  try {
    const output = parseObject(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
    if (statusCode === 200) return { ...output, $metadata: metadata };
    throw errorOf(output, headers['x-amzn-errortype']);
  } catch (error) {
    throw Object.assign(error as Error, { $metadata: metadata });
  }
}

function parseObject(body: Buffer): Record<string, unknown> {
  const value: unknown = JSON.parse(body.toString());
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  throw new SyntaxError('the response is not a JSON object');
}

/** @param type value of the header `x-amzn-errortype`, which has precedence over `__type` */
function errorOf(output: Record<string, unknown>, type = ''): SdkError & Error {
  const { __type, message, Message, ...properties } = output;
  const text = textOf(message) ?? textOf(Message) ?? 'unknown error';
  return Object.assign(new Error(text), properties, { name: nameOf(type || textOf(__type)) });
}

/** `X` of `com.amazonaws.dynamodb.v20120810#X` and of `X:http://…` (AWS JSON 1.0 protocol, "Operation error"). */
function nameOf(type = ''): string {
  const [withoutUri = ''] = type.split(/[,:]/);
  const name = withoutUri.slice(withoutUri.lastIndexOf('#') + 1);
  return name === '' ? 'Error' : name;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

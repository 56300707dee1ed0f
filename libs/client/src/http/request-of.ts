import type { Operation } from './operation.ts';

/** A serialized request; its URL is relative to the service's base URL. */
export interface RequestParts {
  method: string;
  address: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** Builds the request of an operation: parameters in path, query and headers, and a JSON body. */
export function requestOf(
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
): RequestParts {
  const { method, path, type } = operation;
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segmentOf(name, input[name]));
  const query = queryOf(operation, input);
  const hasBody = type !== undefined && input['body'] !== undefined;
  return {
    method,
    address: query === '' ? address : `${address}?${query}`,
    headers: { ...headersOf(operation, input), ...(hasBody && { 'content-type': type }) },
    body: hasBody ? writeJson(input['body']) : undefined,
  };
}

/** @throws TypeError for `.` and `..`, which a URL would resolve to another path, also where they are encoded */
function segmentOf(name: string, value: unknown): string {
  const text = String(value);
  if (text === '.' || text === '..') throw new TypeError(`${name} must not be ${text}`);
  return encodeURIComponent(text);
}

function queryOf({ query, commas }: Operation, input: Readonly<Record<string, unknown>>): string {
  const pairs = query.flatMap((name) => {
    const value = input[name];
    if (value === undefined) return [];
    const isList = Array.isArray(value) && commas?.includes(name) !== true;
    return (isList ? value : [value]).map((one): [string, string] => [name, textOf(one)]);
  });
  return new URLSearchParams(pairs).toString();
}

/** An instant is ISO 8601; a list in one parameter is separated by commas. */
function textOf(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value);
}

function headersOf({ headers = [] }: Operation, input: Readonly<Record<string, unknown>>) {
  const given = headers.flatMap((name) => {
    const value = input[name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())];
    return value === undefined ? [] : [[name, textOf(value)] as const];
  });
  return Object.fromEntries(given);
}

/** `JSON.rawJSON` writes a number with its exact digits: in browsers and Node from 22 on. */
const rawJson = (JSON as { rawJSON?: (text: string) => unknown }).rawJSON;

/**
 * A bigint becomes a number with all its digits.
 * @throws TypeError where the platform lacks `JSON.rawJSON`
 */
export function writeJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'bigint' && rawJson !== undefined ? rawJson(part.toString()) : part,
  );
}

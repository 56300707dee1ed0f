import { comment, member, parameterType, typeOf } from './schema-type.ts';
import type { Member, Schema } from './schema-type.ts';

type Content = Record<string, { schema: Schema }> | undefined;

export interface ContractParameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  explode?: boolean;
  schema: Schema;
}

export interface ContractOperation {
  operationId: string;
  summary: string;
  description?: string;
  parameters: ContractParameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { content?: Content }>;
}

/** The declaration of an exported type. */
export interface TypeSource {
  name: string;
  source: string;
}

interface OperationSource {
  types: TypeSource[];
  entry?: string;
}

const json = 'application/json';
/** The client gives its token itself. */
const unseen = new Set(['authorization']);

/** The source of an operation: the types of its input and output, and the entry that describes its request. */
export function operationSource(
  method: string,
  path: string,
  operation: ContractOperation,
): OperationSource {
  const { operationId: id, summary, description } = operation;
  const name = capital(id);
  const parameters = parametersOf(method, operation);
  const input = { name: `${name}Input`, source: inputType(name, operation, parameters) };
  // A response without an end is not read as a whole: the client has only the types.
  if (isEventStream(operation)) return { types: [input] };
  const sent = {
    method: method.toUpperCase(),
    path,
    query: namesIn('query', parameters),
    ...listIn('commas', commaParameters(parameters)),
    ...listIn('headers', namesIn('header', parameters)),
    ...(operation.requestBody !== undefined && { type: typeOfBody(operation.requestBody.content) }),
  };
  const about = comment([summary + '.', ...(description ? ['', description] : [])].join('\n'));
  const outputType = `export type ${name}Output = ${outputOf(operation)};`;
  const entry = `${about}${id}: operation<${name}Input, ${name}Output>(${JSON.stringify(sent)}),`;
  return { types: [input, { name: `${name}Output`, source: outputType }], entry };
}

function isEventStream({ responses }: ContractOperation): boolean {
  return responses['200']?.content?.['text/event-stream'] !== undefined;
}

function inputType(
  name: string,
  operation: ContractOperation,
  parameters: readonly ContractParameter[],
): string {
  return `export interface ${name}Input {\n${membersOf(operation, parameters).map(member).join('\n')}\n}`;
}

/** Conditions are only for writes: a response of 304 would have no body. */
function parametersOf(method: string, { operationId, parameters }: ContractOperation) {
  const own = parameters.filter(
    ({ name }) => !unseen.has(name) && !(method === 'get' && name === 'if-none-match'),
  );
  const names = own.map(({ name }) => camel(name));
  if (new Set([...names, 'body']).size <= names.length) {
    throw new Error(`${operationId} has two parameters of one name, or one called body`);
  }
  return own;
}

function membersOf(
  { requestBody }: ContractOperation,
  parameters: readonly ContractParameter[],
): Member[] {
  const given = parameters.map(({ name, required, description, schema }) => ({
    name: camel(name),
    schema: { ...(description !== undefined && { description }) },
    isRequired: required,
    type: parameterType(schema),
  }));
  if (requestBody === undefined) return given;
  const type = typeOfBody(requestBody.content);
  const body = typeOf(requestBody.content?.[type]?.schema ?? {});
  return [...given, { name: 'body', schema: {}, isRequired: true, type: body }];
}

/** JSON if the operation accepts it. */
function typeOfBody(content: Content): string {
  const types = Object.keys(content ?? {});
  return types.includes(json) ? json : (types[0] ?? json);
}

function outputOf({ responses }: ContractOperation): string {
  const bodies = Object.entries(responses)
    .filter(([status]) => Number(status) < 300)
    .map(([, { content }]) => content?.[json]?.schema);
  const types = new Set(
    bodies.map((schema) => (schema === undefined ? 'undefined' : typeOf(schema))),
  );
  return [...types].join(' | ');
}

function commaParameters(parameters: readonly ContractParameter[]): string[] {
  const lists = parameters.filter(({ schema, explode }) => schema.type === 'array' && !explode);
  return lists.map(({ name }) => name);
}

function namesIn(
  place: ContractParameter['in'],
  parameters: readonly ContractParameter[],
): string[] {
  return parameters.filter((parameter) => parameter.in === place).map(({ name }) => name);
}

function listIn(key: string, names: readonly string[]) {
  return names.length === 0 ? {} : { [key]: names };
}

export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** `if-match` as `ifMatch`. */
function camel(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, character: string) => character.toUpperCase());
}

import * as fc from 'fast-check';
import { ofProperty, valuesOf } from './values-of-schema.ts';
import type { ContractOperation, Parameter } from './contract-operations.ts';
import type { SchemaContext } from './values-of-schema.ts';

export interface GeneratedRequest {
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export interface RequestContext extends Pick<SchemaContext, 'schemas'> {
  /** Usual values of parameters and body properties, by name. */
  known: Record<'parameters' | 'bodies', SchemaContext['known']> & {
    /** Bodies with consistent parts, which random values hardly ever produce. */
    wholeBodies: readonly unknown[];
  };
}

/** Half of the requests have optional parameters. */
const fewParameters = 2;

const ndjson = 'application/x-ndjson';

/** Requests that a contract allows for an operation, sometimes with a value of a wrong type in the body. */
export function requestsTo(
  operation: ContractOperation,
  context: RequestContext,
): fc.Arbitrary<GeneratedRequest> {
  const { path, forms } = operation;
  const accepted = forms.length === 0 ? ['*/*'] : forms;
  const parts = fc.record({
    params: parametersIn('path', operation, context),
    query: parametersIn('query', operation, context),
    headers: parametersIn('header', operation, context),
    accept: fc.constantFrom(...accepted),
    body: bodiesOf(operation, context),
  });
  return parts.map(({ params, query, headers, accept, body }) => {
    const search = searchOf(operation, query);
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(segment(params[name])),
    );
    return {
      path: search === '' ? filled : `${filled}?${search}`,
      headers: {
        ...Object.fromEntries(Object.entries(headers).flatMap(visible)),
        accept,
        ...(body !== undefined && { 'content-type': body.type }),
      },
      ...(body !== undefined && { body: body.text }),
    };
  });
}

function parametersIn(
  place: Parameter['in'],
  { parameters }: ContractOperation,
  { schemas, known }: RequestContext,
): fc.Arbitrary<Record<string, unknown>> {
  const context = { schemas, known: known.parameters };
  // Cursors come from earlier responses: RequestPlayer follows them.
  const here = parameters.filter((each) => each.in === place && each.name !== 'cursor');
  const values = here.map(({ name, schema }) => [name, ofProperty(name, schema, context)] as const);
  const requiredKeys = here.filter(({ required }) => required).map(({ name }) => name);
  const optional = here.filter(({ required }) => !required).map(({ name }) => name);
  const any = fc.record(Object.fromEntries(values), { requiredKeys });
  // A request with half of all optional parameters is hardly ever valid.
  const few = fc.subarray(optional, { maxLength: Math.min(fewParameters, optional.length) });
  return fc.oneof(
    any,
    fc.tuple(fc.record(Object.fromEntries(values)), few).map(([all, chosen]) => {
      const sent = Object.entries(all).filter(
        ([name]) => requiredKeys.includes(name) || chosen.includes(name),
      );
      return Object.fromEntries(sent);
    }),
  );
}

/** An empty segment, or one of dots, would change the path. */
function segment(value: unknown): string {
  const text = String(value).toWellFormed();
  return /^\.{0,2}$/.test(text) ? 'dots' : text;
}

function searchOf({ parameters }: ContractOperation, query: Record<string, unknown>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const { explode = false } = parameters.find((each) => each.name === name) ?? {};
    if (!Array.isArray(value)) search.append(name, String(value));
    else if (explode) for (const each of value) search.append(name, String(each));
    else search.append(name, value.join(','));
  }
  return search.toString();
}

/** Reduced to characters that a header allows. */
function visible([name, value]: [string, unknown]): [string, string][] {
  const text = String(value);
  return /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) ? [[name, text]] : [];
}

function bodiesOf(
  { bodies }: ContractOperation,
  { schemas, known }: RequestContext,
): fc.Arbitrary<{ type: string; text: string } | undefined> {
  const context = { schemas, known: known.bodies };
  if (bodies.length === 0) return fc.constant(undefined);
  const each = bodies.map(([type, schema]) => {
    const value = fc.oneof(
      { arbitrary: valuesOf(schema, context), weight: 9 },
      { arbitrary: broken(valuesOf(schema, context)), weight: 1 },
      ...known.wholeBodies.map((whole) => ({ arbitrary: fc.constant(whole), weight: 1 })),
    );
    if (type !== ndjson) return value.map((one) => ({ type, text: JSON.stringify(one) }));
    return fc.array(value, { minLength: 1, maxLength: 5 }).map((lines) => ({
      type,
      text: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    }));
  });
  return fc.oneof(...each);
}

/** The same with one property of any type. */
function broken(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.tuple(values, fc.nat(), fc.jsonValue({ maxDepth: 2 })).map(([value, at, other]) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return other;
    const names = Object.keys(value);
    const name = names[at % (names.length + 1)] ?? 'unknown';
    return { ...value, [name]: other };
  });
}

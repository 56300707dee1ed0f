import { z } from 'zod';
import { eventStreamType } from '../events/send-events.ts';
import type { OpenApiDocument } from './openapi-types.ts';

/**
 * For tests: checks a response against the OpenAPI document (route, status, media type, and all
 * fields of the body), and returns its body: of NDJSON the array of its lines, of CSV the text. A
 * stream of events has no end: it is closed.
 * @throws Error with the differences
 */
export async function expectResponse(
  contract: OpenApiDocument,
  response: Response,
  method = 'get',
): Promise<unknown> {
  const { pathname } = new URL(response.url);
  const what = `${method} ${pathname} ${response.status}`;
  const declared = operationAt(contract, pathname, method)?.responses[response.status];
  if (declared === undefined) throw new Error(`${what} is not in the OpenAPI document`);
  const contents = declared.content ?? {};
  const given = response.headers.get('content-type')?.split(';')[0] ?? 'empty';
  if (given === eventStreamType && given in contents) return response.body?.cancel();
  const text = await response.text();
  const content = contents[given];
  if (content === undefined) {
    const expected = Object.keys(contents).join(' or ') || 'empty';
    if (given === expected) return undefined;
    throw new Error(`${what} is ${given}, not ${expected}`);
  }
  const check = (body: unknown) => {
    const result = toZod(contract, content.schema).safeParse(body);
    if (!result.success) throw new Error(`${what}: ${z.prettifyError(result.error)}\n${text}`);
    return body;
  };
  if (given === 'text/csv') return check(text);
  if (given !== 'application/x-ndjson') return check(JSON.parse(text));
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => check(JSON.parse(line)));
}

function operationAt(contract: OpenApiDocument, pathname: string, method: string) {
  const segments = pathname.split('/');
  const fits = (template: string) => {
    const parts = template.split('/');
    return (
      parts.length === segments.length &&
      parts.every((part, index) => part.startsWith('{') || part === segments[index])
    );
  };
  const found = Object.entries(contract.paths).find(([template]) => fits(template));
  return found?.[1][method];
}

/** By document, and the text of the schema: most operations have the same problems. */
const zodSchemas = new WeakMap<OpenApiDocument, Map<string, z.ZodType>>();

function toZod(contract: OpenApiDocument, schema: object): z.ZodType {
  const created = zodSchemas.get(contract) ?? new Map<string, z.ZodType>();
  zodSchemas.set(contract, created);
  const text = JSON.stringify(schema);
  const known = created.get(text) ?? fromJsonSchema(contract, schema);
  created.set(text, known);
  return known;
}

/** Converts a JSON schema to zod, which expects named schemas in `$defs` of the schema. */
function fromJsonSchema(contract: OpenApiDocument, schema: object): z.ZodType {
  const whole = { ...schema, $defs: contract.components.schemas };
  const text = JSON.stringify(whole).replaceAll('#/components/schemas/', '#/$defs/');
  return z.fromJSONSchema(JSON.parse(text) as Parameters<typeof z.fromJSONSchema>[0]);
}

import { z } from 'zod';
import type { OpenApiDocument } from './openapi-types.ts';

/**
 * For tests: the body of an answer, after a check that the contract has exactly this: the route, the
 * status, the media type, and every field of the body. Of NDJSON, the list of its lines; of CSV, the text.
 * @throws Error saying how the two differ
 */
export async function expectResponse(
  contract: OpenApiDocument,
  answer: Response,
  method = 'get',
): Promise<unknown> {
  const { pathname } = new URL(answer.url);
  const what = `${method} ${pathname} ${answer.status}`;
  const response = operationAt(contract, pathname, method)?.responses[answer.status];
  if (response === undefined) throw new Error(`${what} is not in the contract`);
  const text = await answer.text();
  const contents = response.content ?? {};
  const given = answer.headers.get('content-type')?.split(';')[0] ?? 'empty';
  const content = contents[given];
  if (content === undefined) {
    const declared = Object.keys(contents).join(' or ') || 'empty';
    if (given === declared) return undefined;
    throw new Error(`${what} is ${given}, not ${declared}`);
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

/** Made once for each schema of a document. */
const made = new WeakMap<object, z.ZodType>();

function toZod(contract: OpenApiDocument, schema: object): z.ZodType {
  const known = made.get(schema) ?? fromJsonSchema(contract, schema);
  made.set(schema, known);
  return known;
}

/** Back to zod, which looks for named schemas in the schema's own `$defs`. */
function fromJsonSchema(contract: OpenApiDocument, schema: object): z.ZodType {
  const whole = { ...schema, $defs: contract.components.schemas };
  const text = JSON.stringify(whole).replaceAll('#/components/schemas/', '#/$defs/');
  return z.fromJSONSchema(JSON.parse(text) as Parameters<typeof z.fromJSONSchema>[0]);
}

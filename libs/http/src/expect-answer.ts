import { z } from 'zod';
import type { OpenApiDocument } from './openapi.ts';

/**
 * For tests: the body of an answer, after a check that the contract has exactly this: the route, the
 * status, the media type, and every field of the body.
 * @throws Error saying how the two differ
 */
export async function expectAnswer(
  contract: OpenApiDocument,
  answer: Response,
  method = 'get',
): Promise<unknown> {
  const { pathname } = new URL(answer.url);
  const what = `${method} ${pathname} ${answer.status}`;
  const response = operationAt(contract, pathname, method)?.responses[answer.status];
  if (response === undefined) throw new Error(`${what} is not in the contract`);
  const text = await answer.text();
  const [type, content] = Object.entries(response.content ?? {})[0] ?? [];
  const given = answer.headers.get('content-type')?.split(';')[0];
  if (given !== type) throw new Error(`${what} is ${given ?? 'empty'}, not ${type ?? 'empty'}`);
  if (content === undefined) return undefined;
  const body: unknown = JSON.parse(text);
  const result = toZod(contract, content.schema).safeParse(body);
  if (!result.success) throw new Error(`${what}: ${z.prettifyError(result.error)}\n${text}`);
  return body;
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

/** Back to zod, which looks for named schemas in the schema's own `$defs`. */
function toZod(contract: OpenApiDocument, schema: object): z.ZodType {
  const whole = { ...schema, $defs: contract.components.schemas };
  const text = JSON.stringify(whole).replaceAll('#/components/schemas/', '#/$defs/');
  return z.fromJSONSchema(JSON.parse(text) as Parameters<typeof z.fromJSONSchema>[0]);
}

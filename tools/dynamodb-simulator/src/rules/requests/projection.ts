import { checkPaths } from '../expression/check-paths.ts';
import { Placeholders } from '../expression/placeholders.ts';
import { textOf } from './fields.ts';
import type { Document } from '../exceptions.ts';
import type { ExpressionCaches } from '../expression/expression-cache.ts';
import type { Path } from '../expression/syntax.ts';

export type Projection = readonly Path[] | undefined;

/** The paths that a read returns; undefined for the whole item. @throws Refusal */
export function projectionOf(
  expressions: ExpressionCaches,
  text: string | undefined,
  placeholders: Placeholders,
): Projection {
  if (text === undefined) return undefined;
  const field = 'ProjectionExpression';
  const paths = expressions.projections
    .get(field, text)
    .map((path) => placeholders.path(field, path));
  checkPaths(field, paths);
  return paths;
}

/** The projection of a request without other expressions. @throws Refusal */
export function onlyProjectionOf(expressions: ExpressionCaches, input: Document): Projection {
  const text = textOf(input, 'ProjectionExpression');
  const placeholders = new Placeholders(input, text !== undefined);
  const projection = projectionOf(expressions, text, placeholders);
  placeholders.checkAllUsed();
  return projection;
}

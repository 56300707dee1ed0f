import type { AttributeValue } from '../attribute.ts';
import type { KeySchema } from '../schema.ts';
import type { Document } from '../upstream.ts';

export type SortOperator = '=' | '<' | '<=' | '>' | '>=' | 'BETWEEN' | 'begins_with';

/** The key condition of a Query. */
export interface KeyCondition {
  /** Undefined when it cannot be determined. */
  partition: AttributeValue | undefined;
  sort: { operator: SortOperator; operands: AttributeValue[] } | undefined;
}

interface OlderCondition {
  ComparisonOperator: string;
  AttributeValueList: AttributeValue[];
}

const olderOperators: Readonly<Record<string, SortOperator>> = {
  EQ: '=',
  LT: '<',
  LE: '<=',
  GT: '>',
  GE: '>=',
  BETWEEN: 'BETWEEN',
  BEGINS_WITH: 'begins_with',
};

const mirrored: Readonly<Record<string, SortOperator>> = {
  '=': '=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

/** From KeyConditionExpression, or from the legacy parameter KeyConditions. */
export function keyCondition(key: KeySchema, body: Document): KeyCondition {
  const older = body['KeyConditions'] as Record<string, OlderCondition> | undefined;
  return older === undefined ? fromExpression(key, body) : fromOlder(key, older);
}

function fromOlder(
  { partition, sort = '' }: KeySchema,
  conditions: Record<string, OlderCondition>,
): KeyCondition {
  const asked = conditions[sort];
  const operator = olderOperators[asked?.ComparisonOperator ?? ''];
  return {
    partition: conditions[partition]?.AttributeValueList[0],
    sort: asked && operator && { operator, operands: asked.AttributeValueList },
  };
}

function fromExpression({ partition, sort }: KeySchema, body: Document): KeyCondition {
  const names = (body['ExpressionAttributeNames'] ?? {}) as Record<string, string>;
  const values = (body['ExpressionAttributeValues'] ?? {}) as Record<string, AttributeValue>;
  const tokens = (
    String(body['KeyConditionExpression']).match(/[#:]?[\w.-]+|<=|>=|[<>=]/g) ?? []
  ).map((token) => names[token] ?? token);
  const found: KeyCondition = { partition: undefined, sort: undefined };
  for (const [index, token] of tokens.entries()) {
    if (token.startsWith(':') || (token !== partition && token !== sort)) continue;
    const comparison = comparisonAt(tokens, index, values);
    if (comparison === undefined) continue;
    if (token === partition) found.partition = comparison.operands[0];
    else found.sort = comparison;
  }
  return found;
}

/** The comparison that contains the attribute at `index`. */
function comparisonAt(
  tokens: readonly string[],
  index: number,
  values: Readonly<Record<string, AttributeValue>>,
): KeyCondition['sort'] {
  const operands = (...at: number[]): AttributeValue[] =>
    at.map((each) => values[tokens[each] ?? '']).filter((value) => value !== undefined);
  const [before = '', after = ''] = [tokens[index - 1], tokens[index + 1]];
  if (before.toLowerCase() === 'begins_with') {
    return { operator: 'begins_with', operands: operands(index + 1) };
  }
  if (after.toUpperCase() === 'BETWEEN') {
    return { operator: 'BETWEEN', operands: operands(index + 2, index + 4) };
  }
  if (after in mirrored) return { operator: after as SortOperator, operands: operands(index + 2) };
  const operator = mirrored[before];
  return operator && { operator, operands: operands(index - 2) };
}

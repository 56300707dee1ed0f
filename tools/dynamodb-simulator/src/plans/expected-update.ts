import type { AttributeValue, Item } from '../attribute.ts';
import type { Document } from '../upstream.ts';

/**
 * What an update will probably make of an item: plain assignments and removals of whole attributes, which are all that
 * can move it in an index. What has to be computed is left as it is; the cost is settled by what came out.
 */
export function expectedUpdate(before: Item | undefined, body: Document): Item {
  const names = (body['ExpressionAttributeNames'] ?? {}) as Record<string, string>;
  const values = (body['ExpressionAttributeValues'] ?? {}) as Record<string, AttributeValue>;
  const after = new Map(Object.entries({ ...(body['Key'] as Item), ...before }));
  const clauses = ((body['UpdateExpression'] ?? '') as string).split(
    /\b(?=(?:SET|REMOVE|ADD|DELETE)\s)/i,
  );
  for (const clause of clauses) {
    const [, keyword = '', text = ''] = /^(\w+)\s+([^]*)$/.exec(clause) ?? [];
    for (const part of text.split(',')) {
      const [, name = '', value = ''] = /^\s*([#\w]+)\s*(?:=\s*(:\w+))?\s*$/.exec(part) ?? [];
      const attribute = names[name] ?? name;
      const given = values[value];
      if (keyword.toUpperCase() === 'SET' && given !== undefined) after.set(attribute, given);
      if (keyword.toUpperCase() === 'REMOVE') after.delete(attribute);
    }
  }
  return Object.fromEntries(after);
}

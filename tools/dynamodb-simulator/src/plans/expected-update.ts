import type { AttributeValue, Item } from '../attribute.ts';
import type { Document } from '../upstream.ts';

/**
 * The probable result of an update: only assignments and removals of whole attributes, which are
 * all that changes index keys. Computed values keep their old state; the charge is corrected by the
 * real result afterwards.
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

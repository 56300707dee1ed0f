import { writesOf } from './writes-of.ts';
import type { AttributeValue, Item } from '../attribute.ts';
import type { ClientRequest } from '../plans/plan.ts';
import type { Document } from '../upstream.ts';

/** An attribute's name has at least one character, within maps too (developer guide, "Quotas": attribute names). */
export function refusedName(asked: ClientRequest): string | undefined {
  const writes = writesOf(asked);
  const inExpressions = [asked.body, ...writes.map(({ action }) => action)].flatMap(
    (body) => refusedPlaceholder(body) ?? [],
  );
  const isInItem = writes.some(({ item }) => hasEmptyName(item ?? {}));
  return inExpressions[0] ?? (isInItem ? 'Empty attribute name' : undefined);
}

function refusedPlaceholder(body: Document): string | undefined {
  const names = (body['ExpressionAttributeNames'] ?? {}) as Record<string, string>;
  const [name] = Object.entries(names).find(([, attribute]) => attribute === '') ?? [];
  if (name !== undefined) return invalid('ExpressionAttributeNames', name);
  const values = (body['ExpressionAttributeValues'] ?? {}) as Record<string, AttributeValue>;
  const [value] = Object.entries(values).find(([, content]) => isNamedEmpty(content)) ?? [];
  return value === undefined ? undefined : invalid('ExpressionAttributeValues', value);
}

function invalid(parameter: string, placeholder: string): string {
  return `${parameter} contains invalid value: Empty attribute name for key ${placeholder}`;
}

function hasEmptyName(item: Item): boolean {
  return Object.entries(item).some(([name, value]) => name === '' || isNamedEmpty(value));
}

function isNamedEmpty({ M, L }: AttributeValue): boolean {
  if (M !== undefined) return hasEmptyName(M as Item);
  return L !== undefined && (L as AttributeValue[]).some(isNamedEmpty);
}

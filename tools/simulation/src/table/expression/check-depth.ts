import { invalid } from '../refusal.ts';
import type { AttributeValue } from '../attribute.ts';

/** Levels of lists and maps (developer guide, "Quotas": nested attribute depth). */
export const maxDepth = 32;

/** What an update put into a list or map may be deeper there than where it came from. @throws Refusal */
export function checkDepth(value: AttributeValue | undefined, depth = 0): void {
  if (value === undefined) return;
  if (depth >= maxDepth) throw tooDeep();
  for (const inner of value.L ?? Object.values(value.M ?? {})) checkDepth(inner, depth + 1);
}

export function tooDeep() {
  return invalid(
    'Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit',
  );
}

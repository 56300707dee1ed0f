import { invalid } from '../exceptions.ts';
import type { AttributeValue } from '../attribute.ts';

/** Maximum levels of lists and maps (developer guide, "Quotas": nested attribute depth). */
export const maxDepth = 32;

/** Checks the depth after an update, which may nest a value more deeply. @throws Refusal */
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

import { ruleGroups } from '../../src/rules/index.ts';
import type { RuleGroup } from '../../src/rules/index.ts';

/** The rules that a scenario checks, and the rules they depend on: evaluating all takes twice as long. */
export function rulesFor(
  alertNames: readonly string[],
  expressions: readonly string[],
): RuleGroup[] {
  let wanted = [...expressions];
  const groups: RuleGroup[] = [];
  // Backwards, since a rule's dependencies precede it.
  for (const group of ruleGroups().reverse()) {
    const rules = group.rules.toReversed().filter((rule) => {
      const isWanted =
        'alert' in rule
          ? alertNames.includes(rule.alert)
          : wanted.some((expression) => expression.includes(rule.record));
      if (isWanted) wanted = [...wanted, rule.expr];
      return isWanted;
    });
    if (rules.length > 0) groups.unshift({ ...group, rules: rules.reverse() });
  }
  return groups;
}

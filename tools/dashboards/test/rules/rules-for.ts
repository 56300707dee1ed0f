import { ruleGroups } from '../../src/rules/index.ts';
import type { RuleGroup } from '../../src/rules/index.ts';

/** Only those rules that a scenario looks at, and what they are made from: evaluating all of them takes twice as long. */
export function rulesFor(
  alertNames: readonly string[],
  expressions: readonly string[],
): RuleGroup[] {
  let wanted = [...expressions];
  const groups: RuleGroup[] = [];
  // Backwards, since what a rule is made from stands before it.
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

import type { ILabelSelector } from '@kubernetes-models/apimachinery/apis/meta/v1/LabelSelector';

type Labels = Record<string, string>;

/** Whether a selector matches these labels; an empty one matches all, undefined none. */
export function selects(selector: ILabelSelector | undefined, labels: Labels): boolean {
  if (!selector) return false;
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every((expression) => holds(expression, labels))
  );
}

type Expression = NonNullable<ILabelSelector['matchExpressions']>[number];

function holds({ key, operator, values = [] }: Expression, labels: Labels): boolean {
  const value = labels[key];
  const isOne = value !== undefined && values.includes(value);
  switch (operator) {
    case 'In':
      return isOne;
    case 'NotIn':
      return !isOne;
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      throw new Error(`there is no operator ${operator}`);
  }
}

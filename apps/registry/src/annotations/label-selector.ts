import { repeatedParameter } from '@engawa/http';
import { z } from 'zod';
import { isLabelKey, isLabelValue, keyPattern, valuePattern } from './labels-schema.ts';
import type { Annotations } from '@engawa/model';

/** Selects items with a label, and with this value if given. */
export interface LabelSelector {
  key: string;
  value?: string;
}

const maxSelectors = 8;

const pattern = `${keyPattern.slice(0, -1)}(?:=${valuePattern.slice(1, -1)})?$`;

const selector = z
  .string()
  .meta({ pattern })
  .transform((text, context): LabelSelector => {
    const [key = '', ...rest] = text.split('=');
    const value = rest.length === 0 ? undefined : rest.join('=');
    if (!isLabelKey(key) || (value !== undefined && !isLabelValue(value))) {
      context.addIssue('must be a label such as floor=2, or a label key such as floor');
      return z.NEVER;
    }
    return { key, ...(value !== undefined && { value }) };
  });

/** The query parameter `label` of lists: spread it into their schemas. */
export const labelQuery = {
  label: repeatedParameter(selector, { maximum: maxSelectors })
    .optional()
    .describe(
      `Only items with this label: \`label=floor=2\` with this value, \`label=floor\` with any value. Up to ${maxSelectors} times; an item must have all of them.`,
    ),
};

export function matchesLabels(
  selectors: readonly LabelSelector[],
  { labels = {} }: Annotations,
): boolean {
  return selectors.every(({ key, value }) => {
    // Every object has a `constructor`.
    if (!Object.hasOwn(labels, key)) return false;
    return value === undefined || labels[key] === value;
  });
}

/** Sorted and without duplicates, so that equal filters have equal cursors. */
export function selectorText(selectors: readonly LabelSelector[]): string[] {
  const texts = selectors.map(({ key, value }) => (value === undefined ? key : `${key}=${value}`));
  return [...new Set(texts)].toSorted();
}

import { z } from 'zod';
import type { Labels } from '@engawa/model';

/** Maximum labels of one device, room or place. */
export const maxLabels = 32;
/**
 * Maximum bytes of all keys and values together: the list index holds them, and each started
 * kilobyte costs a write unit.
 */
export const maxLabelBytes = 2048;
const maxPrefixLength = 253;
const maxKeyLength = maxPrefixLength + 1 + 63;
const maxValueLength = 63;

// The grammar of Kubernetes ("Labels and Selectors", syntax and character set): a name with an
// optional prefix, a DNS subdomain and a slash.
const subdomain = String.raw`[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*`;
const name = '[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?';
export const keyPattern = `^(?:${subdomain}/)?${name}$`;
export const valuePattern = `^(?:${name})?$`;

const keyForm = new RegExp(keyPattern);
const valueForm = new RegExp(valuePattern);

export function isLabelKey(text: string): boolean {
  return text.length <= maxKeyLength && text.indexOf('/') <= maxPrefixLength && keyForm.test(text);
}

export function isLabelValue(text: string): boolean {
  return text.length <= maxValueLength && valueForm.test(text);
}

/** A merge patch of labels: a value, or null to remove the label. */
export type LabelsPatch = Readonly<Record<string, string | null>>;

const rule = `Keys and values have the syntax of Kubernetes labels: letters, digits, \`-\`, \`_\` and \`.\`, at most 63 characters; a key may have a DNS name and a slash as prefix. At most ${maxLabels} labels of ${maxLabelBytes} bytes in total.`;

const jsonSchema = {
  type: 'object',
  maxProperties: maxLabels,
  propertyNames: { type: 'string', pattern: keyPattern, maxLength: maxKeyLength },
  additionalProperties: { type: 'string', pattern: valuePattern, maxLength: maxValueLength },
} as const;

/** All labels of an item. */
export const labels = z
  .unknown()
  .meta({ ...jsonSchema, description: `All labels: ${rule}` })
  .transform((value, context): Labels => {
    const given = Object.fromEntries(entriesOf(value, context)) as Labels;
    const excess = excessOf(given);
    if (excess !== undefined) context.addIssue(excess);
    return given;
  });

/** A merge patch of the labels (RFC 7396). */
export const labelsPatch = z
  .unknown()
  .meta({
    ...jsonSchema,
    type: ['object', 'null'],
    additionalProperties: { ...jsonSchema.additionalProperties, type: ['string', 'null'] },
    description: `Labels that are not named stay. null as a value removes the label; null instead of the object removes all labels. ${rule}`,
  })
  .transform((value, context): LabelsPatch | null =>
    value === null ? null : Object.fromEntries(entriesOf(value, context, { orNull: true })),
  );

/** The limit that these labels exceed, as the predicate of a sentence. */
export function excessOf(labels: Labels): string | undefined {
  const entries = Object.entries(labels);
  if (entries.length > maxLabels) return `must have at most ${maxLabels} labels`;
  // Keys and values are ASCII, so characters are bytes.
  const bytes = entries.reduce((sum, entry) => sum + entry.join('').length, 0);
  return bytes > maxLabelBytes
    ? `must have at most ${maxLabelBytes} bytes of keys and values in total`
    : undefined;
}

/** Reads entries, not properties, so that the key `__proto__` is found, and rejected for its syntax. */
function entriesOf(value: unknown, context: z.RefinementCtx, { orNull = false } = {}) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    context.addIssue('must be an object');
    return [];
  }
  const entries = Object.entries(value) as [string, unknown][];
  for (const [key, text] of entries) {
    const message = text === null && orNull ? keyFault(key) : (keyFault(key) ?? valueFault(text));
    if (message !== undefined) context.addIssue({ code: 'custom', path: [key], message });
  }
  return entries as [string, string | null][];
}

function keyFault(key: string): string | undefined {
  return isLabelKey(key) ? undefined : 'must have keys with the syntax of labels';
}

function valueFault(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a text';
  if (isLabelValue(value)) return undefined;
  return `must have at most ${maxValueLength} letters, digits, -, _ and ., a letter or digit first and last`;
}

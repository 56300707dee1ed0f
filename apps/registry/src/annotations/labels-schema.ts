import { z } from 'zod';
import type { Labels } from '@engawa/model';

/** Of one device, room or place. */
export const maxLabels = 32;
/** Bytes of all keys and values together: the list index holds them, and each started kilobyte is a unit of a write. */
export const maxLabelBytes = 2048;
const maxPrefixLength = 253;
const maxKeyLength = maxPrefixLength + 1 + 63;
const maxValueLength = 63;

// The grammar of Kubernetes ("Labels and Selectors", syntax and character set): a name, perhaps behind a DNS subdomain and a slash.
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

/** What a body says of labels: a value each, or null where a patch takes the label away. */
export type LabelsPatch = Readonly<Record<string, string | null>>;

const rule = `Keys and values have the form that Kubernetes gives them: letters, digits, \`-\`, \`_\` and \`.\`, at most 63, a key perhaps behind a DNS name and a slash. At most ${maxLabels}, ${maxLabelBytes} bytes together.`;

const jsonSchema = {
  type: 'object',
  maxProperties: maxLabels,
  propertyNames: { type: 'string', pattern: keyPattern, maxLength: maxKeyLength },
  additionalProperties: { type: 'string', pattern: valuePattern, maxLength: maxValueLength },
} as const;

/** The labels of something, all of them. */
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
    description: `What is not named stays; null takes a label away, and in place of all of them all. ${rule}`,
  })
  .transform((value, context): LabelsPatch | null =>
    value === null ? null : Object.fromEntries(entriesOf(value, context, { orNull: true })),
  );

/** Why these are too many, as the second half of a sentence. */
export function excessOf(labels: Labels): string | undefined {
  const entries = Object.entries(labels);
  if (entries.length > maxLabels) return `must have at most ${maxLabels} labels`;
  // Both are ASCII.
  const bytes = entries.reduce((sum, entry) => sum + entry.join('').length, 0);
  return bytes > maxLabelBytes
    ? `must have at most ${maxLabelBytes} bytes of keys and values together`
    : undefined;
}

/** Reads entries, not members: the key `__proto__` is then found, and refused for its form. */
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
  return isLabelKey(key) ? undefined : 'must have a key of the form that labels have';
}

function valueFault(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a text';
  if (isLabelValue(value)) return undefined;
  return `must have at most ${maxValueLength} letters, digits, -, _ and ., a letter or digit first and last`;
}

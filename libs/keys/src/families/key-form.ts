import { instant } from '../segments/instant.ts';
import { decodeTuple } from '../tuple.ts';
import type { KeyFamily, KeyIndex } from './key-family.ts';

/**
 * Arguments of the key builders for those parts of a key that cannot be a text such as `<device>`; `formOf` shows them
 * as such a text.
 */
export const sample = {
  /** Epoch milliseconds. */
  time: Date.UTC(2001, 1, 3, 4, 5, 6, 789),
  day: '2001-02-03',
  shard: 63,
  part: 1,
  ulid: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
} as const;

const placeholders = new Map([
  [instant('time', sample.time), '<time>'],
  [sample.day, '<day>'],
  [sample.ulid, '<ULID>'],
  [String(sample.part).padStart(4, '0'), '<part>'],
]);

/** The characters of a hash in base64url: 256 or 128 bits. */
const hash = /^[\w-]{22}$|^[\w-]{43}$/;
const number = /^\d{1,2}$/;

/** The form of a key that was built with texts such as `<device>` and values of `sample`. */
export function formOf(key: string): string {
  return decodeTuple(key).map(formOfSegment).join('#');
}

function formOfSegment(segment: string): string {
  const known = placeholders.get(segment);
  if (known !== undefined) return known;
  if (number.test(segment)) return '<shard>';
  return hash.test(segment) ? '<hash>' : segment;
}

/** The form of keys of which some have further segments. */
export function optionalEnd(short: string, long: string): string {
  if (long === short) return short;
  if (!long.startsWith(short)) throw new TypeError(`${long} does not begin with ${short}`);
  return `${short}[${long.slice(short.length)}]`;
}

/** Whether a partition key of an index has the form of the family's keys. */
export function isPartitionOf(
  { index, pk: form }: Pick<KeyFamily, 'index' | 'pk'>,
  { index: given, pk }: { index: KeyIndex; pk: string },
): boolean {
  return index === given && expressionOf(form).test(pk);
}

/** Whether a key has the form of the family's keys. */
export function isKeyOf(
  family: Pick<KeyFamily, 'index' | 'pk' | 'sk'>,
  { index, pk, sk }: { index: KeyIndex; pk: string; sk: string },
): boolean {
  return isPartitionOf(family, { index, pk }) && expressionOf(family.sk).test(sk);
}

const expressions = new Map<string, RegExp>();

/** Computed once per form: there are few. */
function expressionOf(form: string): RegExp {
  const known = expressions.get(form);
  if (known !== undefined) return known;
  // With an escape: only so the bundled code stays ASCII.
  const source = form.replaceAll(/<[^>]+>\u2026|<[^>]+>|[[\]]|[^<[\]]+/g, sourceOf);
  const expression = new RegExp(`^${source}$`, 's');
  expressions.set(form, expression);
  return expression;
}

function sourceOf(part: string): string {
  if (part === '[') return '(?:';
  if (part === ']') return ')?';
  if (part.endsWith('>…')) return '.*';
  if (part === '<shard>') return '\\d{1,2}';
  return part.startsWith('<') ? '[^#]*' : part.replaceAll(/[^\w#]/g, '\\$&');
}

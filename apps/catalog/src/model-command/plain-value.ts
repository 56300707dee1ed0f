import { parseNumber } from '@engawa/model';

type TaggedValue = Record<string, unknown>;

/** A value without its type tag, numbers exact; undefined where it has another tag, or does not match it. */
export function plainValue(value: TaggedValue, tag: string): unknown {
  const given = value[tag];
  switch (tag) {
    case 'S':
      return typeof given === 'string' ? given : undefined;
    case 'N':
      return numberOf(given);
    case 'BOOL':
      return typeof given === 'boolean' ? given : undefined;
    case 'NULL':
      return null;
    case 'SS':
      return Array.isArray(given) ? given : undefined;
    case 'NS':
      return Array.isArray(given) ? given.map(numberOf) : undefined;
    case 'L':
      return Array.isArray(given) ? given.map((one) => anyValue(one as TaggedValue)) : undefined;
    case 'M':
      return typeof given === 'object' && given !== null ? mapOf(given) : undefined;
    default:
      return undefined;
  }
}

function anyValue(value: TaggedValue): unknown {
  return plainValue(value, Object.keys(value)[0] ?? '') ?? null;
}

function mapOf(map: object): Record<string, unknown> {
  const entries = Object.entries(map as Record<string, TaggedValue>);
  return Object.fromEntries(entries.map(([name, value]) => [name, anyValue(value)]));
}

/** Workbench writes numbers as texts; handwritten files may have numbers. */
function numberOf(given: unknown): unknown {
  if (typeof given !== 'string' && typeof given !== 'number') return undefined;
  try {
    return parseNumber(String(given));
  } catch {
    return undefined;
  }
}

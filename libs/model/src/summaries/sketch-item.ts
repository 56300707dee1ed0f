import { parseKey } from '@engawa/keys';
import { maxParts, partedItems, textsOf } from '../values/parted-items.ts';
import { keyOf } from '../places/place.ts';
import { encodeSketches } from './summary.ts';
import type { Document } from '../values/item-size.ts';
import type { Bucket, Rollup, RollupWidth } from './rollup.ts';
import type { Summary } from './summary.ts';

/** Their keys are next to the rollups' keys, in separate items: most queries do not need sketches, which are larger. */
export const sketchWidths = { PT1H: 'SKETCH-PT1H', P1D: 'SKETCH-P1D' } as const satisfies Record<
  RollupWidth,
  string
>;

/** The version of the sketch algorithm. */
const sketchFormat = 1;
/** Attributes that are equal in all items of a bucket. */
const common = ['format', 'version', 'corrections'] as const;

/** The stored sketches of a bucket. */
export interface StoredSketches {
  start: number;
  /** Version and corrections of the rollup: the sketches are valid while the rollup has the same ones. */
  version?: string | undefined;
  corrections?: string | undefined;
  /** For `addSketches`. */
  texts: readonly string[];
}

/** None where the sketches do not fit into the items of a bucket: then they are computed for each request. */
export function sketchesItems(
  device: string,
  { width, start }: Bucket,
  { version, corrections, summary }: Pick<Rollup, 'version' | 'corrections'> & { summary: Summary },
): Document[] {
  const texts = encodeSketches(summary);
  if (texts.length > maxParts) return [];
  const [first, ...parts] = partedItems(device, { width: sketchWidths[width], start }, texts, {
    format: sketchFormat,
    ...(version !== undefined && { version }),
    ...(corrections !== undefined && { corrections }),
  });
  // The first last: once it is there, its parts are.
  return [...parts, first];
}

/**
 * Undefined for another format, and where a part is missing.
 * @throws TypeError when the item does not contain sketches
 */
export function parseSketches(
  item: Document,
  parts: readonly (Document | undefined)[] = [],
): StoredSketches | undefined {
  const key = parseKey(keyOf(item));
  if (key.item !== 'rollup') throw new TypeError(`not of sketches: ${key.item}`);
  const { version, corrections, format } = item;
  const texts = textsOf(item, parts, common);
  if (Number(format) !== sketchFormat || texts === undefined) return undefined;
  return {
    start: key.start,
    texts,
    ...(typeof version === 'string' && { version }),
    ...(typeof corrections === 'string' && { corrections }),
  };
}

import { UnfitNumber } from '@engawa/model';
import { z } from 'zod';

/**
 * Maximum bytes as JSON. Each started kilobyte adds 3 write units to each update of when the device
 * was last seen (docs/adr/0047).
 */
export const maxMetadataBytes = 4096;

/** A JSON object as sent by the client. */
export type MetadataPatch = Readonly<Record<string, unknown>>;

const rule = `Any JSON object of at most ${maxMetadataBytes} bytes; Engawa does not interpret it.`;

/** The whole metadata of an item, as JSON text. */
export const metadata = z
  .unknown()
  .meta({ type: 'object', description: `All metadata: ${rule}` })
  .transform((value, context): string => {
    const json = metadataJson(value);
    if ('fault' in json) context.addIssue(json.fault);
    return 'text' in json ? json.text : '{}';
  });

/** A merge patch of the metadata (RFC 7396). */
export const metadataPatch = z
  .unknown()
  .meta({
    type: ['object', 'null'],
    description: `Properties that are not named stay, also in nested objects. null as a value removes the property; null instead of the object removes all metadata. ${rule}`,
  })
  .transform((value, context): MetadataPatch | null => {
    if (value === null) return null;
    const json = metadataJson(value);
    if ('fault' in json) context.addIssue(json.fault);
    return value as MetadataPatch;
  });

/** The stored form; or the violated rule, as the predicate of a sentence. */
export function metadataJson(value: unknown): { text: string } | { fault: string } {
  if (!isObject(value)) return { fault: 'must be an object' };
  let unfit: string | undefined;
  let text: string;
  try {
    text = JSON.stringify(value, (_, member: unknown) => {
      if (member instanceof UnfitNumber) unfit = member.reason;
      return member;
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { fault: 'must not be nested so deeply' };
  }
  if (unfit !== undefined)
    return { fault: `must have no number that cannot be stored exactly: ${unfit}` };
  if (Buffer.byteLength(text) <= maxMetadataBytes) return { text };
  return { fault: `must have at most ${maxMetadataBytes} bytes as JSON` };
}

/** Excludes arrays and exact numbers. */
function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

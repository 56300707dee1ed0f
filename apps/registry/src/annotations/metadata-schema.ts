import { UnfitNumber } from '@engawa/model';
import { z } from 'zod';

/** Bytes as JSON. Each started kilobyte of a device makes noting that it was heard of dearer by 3 write units (docs/adr/0047). */
export const maxMetadataBytes = 4096;

/** A JSON object as the client gave it. */
export type MetadataPatch = Readonly<Record<string, unknown>>;

const rule = `Any JSON object of at most ${maxMetadataBytes} bytes; nothing here reads it.`;

/** The metadata of something, all of it; the value is its JSON. */
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
    description: `What is not named stays, also in the objects in it; null takes a member away, and in place of all of it all. ${rule}`,
  })
  .transform((value, context): MetadataPatch | null => {
    if (value === null) return null;
    const json = metadataJson(value);
    if ('fault' in json) context.addIssue(json.fault);
    return value as MetadataPatch;
  });

/** As it is stored; or what is wrong with it, as the second half of a sentence. */
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
    return { fault: 'must not be nested that deeply' };
  }
  if (unfit !== undefined) return { fault: `must have no number that cannot be kept: ${unfit}` };
  if (Buffer.byteLength(text) <= maxMetadataBytes) return { text };
  return { fault: `must have at most ${maxMetadataBytes} bytes as JSON` };
}

/** Not a list, nor what stands for a number. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

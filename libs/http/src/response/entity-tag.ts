import { createHash } from 'node:crypto';

/**
 * A state of an item. Versions restart at 1 when an item is created again, so the creation (a ULID
 * or a time) is part of it.
 */
export interface Revision {
  version: number;
  creation?: string | undefined;
}

/** The ETag of an item with a version, which If-Match compares (RFC 9110, section 8.8.3). */
export function entityTag({ version, creation }: Revision): string {
  return creation === undefined ? `"${version}"` : `"${version}-${creation}"`;
}

/** Bytes of the hash: with 128 bits, a collision of two bodies of the same version takes about 2^64 bodies. */
const hashBytes = 16;

/** The ETag of a response: the ETag of the item with a hash of the body appended (ADR 0039). */
export function representationTag(itemTag: string, body: string): string {
  const hash = createHash('sha256').update(body).digest().subarray(0, hashBytes);
  return `${itemTag.slice(0, -1)}.${hash.toString('base64url')}"`;
}

/** The ETag of a compressed response: another content coding is another representation (RFC 9110, section 8.8.3.3). */
export function codedTag(tag: string, coding: string): string {
  return `${tag.slice(0, -1)}-${coding}"`;
}

export const tagPattern = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`;
export const eachTag = new RegExp(tagPattern, 'g');
const coding = /-(?:gzip|deflate|br)"$/;

/**
 * The weak tag of a part of an item: it identifies the part for If-None-Match, and never matches
 * If-Match (RFC 9110, section 13.1.1).
 */
export function weakTag(tag: string): string {
  return `W/${tag}`;
}

const weak = /^W\//;

/** Whether If-None-Match has this tag, in any content coding (weak comparison: RFC 9110, section 13.1.2). */
export function isKnown(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = tag.replace(weak, '');
  return (ifNoneMatch.match(eachTag) ?? []).some(
    (given) => given.replace(weak, '').replace(coding, '"') === opaque,
  );
}

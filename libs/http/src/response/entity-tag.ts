import { createHash } from 'node:crypto';

/** One state of an item. Versions begin at 1 with each creation, so what tells creations apart (a ULID, a time) is part of it. */
export interface Revision {
  version: number;
  creation?: string | undefined;
}

/** The ETag of an item that carries a version: what If-Match compares (RFC 9110, section 8.8.3). */
export function entityTag({ version, creation }: Revision): string {
  return creation === undefined ? `"${version}"` : `"${version}-${creation}"`;
}

/** Bytes of the hash: two contents of one version have the same 128 bits by chance once in 2^64. */
const hashBytes = 16;

/** The ETag of all that an answer shows of an item: its version, and behind it a hash of the body (ADR 0039). */
export function representationTag(itemTag: string, body: string): string {
  const hash = createHash('sha256').update(body).digest().subarray(0, hashBytes);
  return `${itemTag.slice(0, -1)}.${hash.toString('base64url')}"`;
}

/** RFC 9110, section 8.8.3.3: in a content coding it is another representation, and its tag another one. */
export function codedTag(tag: string, coding: string): string {
  return `${tag.slice(0, -1)}-${coding}"`;
}

export const tagPattern = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`;
export const eachTag = new RegExp(tagPattern, 'g');
const coding = /-(?:gzip|deflate|br)"$/;

/** The tag of a part of an item: it says that the part is the same, and meets no If-Match (RFC 9110, section 13.1.1). */
export function weakTag(tag: string): string {
  return `W/${tag}`;
}

const weak = /^W\//;

/** Whether the client has this representation already, in any content coding (RFC 9110, section 13.1.2: weak comparison). */
export function isKnown(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = tag.replace(weak, '');
  return (ifNoneMatch.match(eachTag) ?? []).some(
    (given) => given.replace(weak, '').replace(coding, '"') === opaque,
  );
}

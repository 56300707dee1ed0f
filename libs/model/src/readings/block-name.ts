import { randomBytes } from 'node:crypto';

/** Where and when a block was made. It gives the block a name of its own, in the order of receipt. */
export interface BlockReceipt {
  /** Epoch milliseconds: when the first of the messages that the block's readings came with was received. */
  receivedAt: number;
  /** The process that makes the block, as `randomOrigin` returns it. */
  origin: string;
  /** Number of the block in this process. */
  sequence: number;
  /** Whether readings of the block are ahead of their receipt, each by more than `tolerableAheadMs`. */
  isAhead?: boolean | undefined;
}

/** What the name of a block tells. */
export interface BlockName {
  origin: string;
  /** Each reading is the first one without a time that the process received of this device in its millisecond. */
  isDelivered: boolean;
  /** Epoch milliseconds: the receipt of the block, if readings of it are ahead of theirs. */
  receivedAt?: number;
}

/** Sorts after every hash in base64url, the names of blocks until version 0.2. */
const mark = '~';
const [timeLength, originLength, sequenceLength] = [7, 4, 4];
const length = mark.length + timeLength + originLength + sequenceLength;

/** 64 characters in ascending order, none of which is escaped in keys. */
const digits = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';

/** A random name of a process: two replicas rarely have the same one (24 bits). */
export function randomOrigin(): string {
  return randomBytes(3).toString('base64url');
}

/** 16 characters: the time of receipt until the year 2109, the origin, and 22 bits of the sequence with two flags. */
export function blockName(
  { receivedAt, origin, sequence, isAhead = false }: BlockReceipt,
  isDelivered: boolean,
): string {
  const numbered = (sequence % 2 ** 22) * 4 + (isAhead ? 2 : 0) + (isDelivered ? 1 : 0);
  return `${mark}${encode(receivedAt, timeLength)}${origin}${encode(numbered, sequenceLength)}`;
}

/** @returns undefined for a block of version 0.2, which is named by its content */
export function parseBlockName(name: string): BlockName | undefined {
  if (name.length !== length || !name.startsWith(mark)) return undefined;
  const origin = name.slice(mark.length + timeLength, mark.length + timeLength + originLength);
  const flags = digits.indexOf(name.slice(-1)) % 4;
  const isDelivered = flags % 2 === 1;
  if (flags < 2) return { origin, isDelivered };
  const receivedAt = decode(name.slice(mark.length, mark.length + timeLength));
  return { origin, isDelivered, receivedAt };
}

/** When a block was received, in epoch milliseconds, and whether its readings are ahead of that; undefined as above. */
export function parseReceipt(
  name: string,
): Pick<BlockReceipt, 'receivedAt' | 'isAhead'> | undefined {
  const parsed = parseBlockName(name);
  if (parsed === undefined) return undefined;
  const receivedAt = decode(name.slice(mark.length, mark.length + timeLength));
  return { receivedAt, isAhead: parsed.receivedAt !== undefined };
}

/** Sorts after the name of every block: the order of readings that are in no block. */
export const afterBlocks = '~~';

/** Whether names are in the order of receipt; those of version 0.2 are in any order. */
export function isInOrderOfReceipt(name: string): boolean {
  return name.startsWith(mark);
}

function encode(value: number, width: number): string {
  let [text, rest] = ['', value];
  for (let place = 0; place < width; place++) {
    text = `${digits.charAt(rest % 64)}${text}`;
    rest = Math.floor(rest / 64);
  }
  return text;
}

function decode(text: string): number {
  let value = 0;
  for (const digit of text) value = value * 64 + digits.indexOf(digit);
  return value;
}

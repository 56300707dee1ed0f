/** Crockford's base 32, the alphabet of ULIDs. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Length of a ULID's time in characters. */
const timeLength = 10;
/** Length of each of the two parts after the time: 40 bits, 5 per character. */
const partLength = 8;
const lastYear = 9999;
const millisecondsOfDay = 86_400_000;

/** The day (UTC) in a dead letter's id, which is part of its key; undefined for an impossible id. */
export function deadLetterDay(id: string): string | undefined {
  let time = 0;
  for (const digit of id.slice(0, timeLength)) time = time * 32 + alphabet.indexOf(digit);
  const date = new Date(time);
  return date.getUTCFullYear() > lastYear ? undefined : date.toISOString().slice(0, 10);
}

/** The parts of a dead letter's id. */
export interface DeadLetterName {
  /** Epoch milliseconds. */
  receivedAt: number;
  /** Distinguishes dead letters of equal deliveries, in the order of receipt; 5 bytes are used. */
  unique: Uint8Array;
  /** Hash that identifies the delivery; 5 bytes are used. */
  delivery: Uint8Array;
}

/**
 * A ULID of the time of receipt, whose random part is 40 unique bits and 40 bits of the delivery's hash. Ids are
 * therefore in the order of time, and those of one replica in the order of receipt. Versions up to 0.2.0 used the start
 * of the day as the time, and the hash before the unique bits: such ids come before the others of their day.
 */
export function deadLetterId({ receivedAt, unique, delivery }: DeadLetterName): string {
  return ulidOf(receivedAt, unique, delivery);
}

/** The part of an id that decides its shard: the time and the first of the two parts after it. */
export function deadLetterPrefix(id: string): string {
  return id.slice(0, timeLength + partLength);
}

/**
 * Prefix of the ids that versions up to 0.2.0 gave to the dead letters of a delivery.
 * @param receivedAt epoch milliseconds within the day
 */
export function formerDeadLetterPrefix({
  receivedAt,
  delivery,
}: Omit<DeadLetterName, 'unique'>): string {
  const startOfDay = receivedAt - (receivedAt % millisecondsOfDay);
  return deadLetterPrefix(ulidOf(startOfDay, delivery, delivery));
}

function ulidOf(time: number, first: Uint8Array, second: Uint8Array): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(time, 0, 6);
  bytes.set(first.subarray(0, 5), 6);
  bytes.set(second.subarray(0, 5), 11);
  let bits = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (let index = 0; index < 26; index++) {
    text = alphabet.charAt(Number(bits & 31n)) + text;
    bits >>= 5n;
  }
  return text;
}

import { currentWorld } from './current-world.ts';

type BytesCallback = (error: null, bytes: Buffer) => void;
type NumberCallback = (error: null, number: number) => void;

const bytes = (length: number) => currentWorld().random.bytes(length);

/** RFC 9562, 5.4: version 4. */
function uuid(): string {
  const random = bytes(16);
  random.writeUInt8((random.readUInt8(6) & 0x0f) | 0x40, 6);
  random.writeUInt8((random.readUInt8(8) & 0x3f) | 0x80, 8);
  return random.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function fill<View extends ArrayBufferView>(view: View): View {
  const target = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  target.set(bytes(target.length));
  return view;
}

/** Replaces the functions of these names in `node:crypto`. */
export const virtualCrypto = {
  randomBytes: (length: number, callback?: BytesCallback) => {
    const random = bytes(length);
    if (callback === undefined) return random;
    queueMicrotask(() => callback(null, random));
    return undefined;
  },
  randomInt: (low: number, high?: number | NumberCallback, callback?: NumberCallback) => {
    if (typeof high !== 'number') return virtualCrypto.randomInt(0, low, high);
    const number = currentWorld().random.integer(low, high - 1);
    if (callback === undefined) return number;
    queueMicrotask(() => callback(null, number));
    return undefined;
  },
  randomUUID: uuid,
  randomFillSync: fill,
} as {
  randomBytes: (length: number, callback?: BytesCallback) => Buffer | undefined;
  randomInt: (
    low: number,
    high?: number | NumberCallback,
    callback?: NumberCallback,
  ) => number | undefined;
  randomUUID: () => string;
  randomFillSync: typeof fill;
};

/** Replaces the functions of these names in `globalThis.crypto`. */
export const virtualWebCrypto = { getRandomValues: fill, randomUUID: uuid };

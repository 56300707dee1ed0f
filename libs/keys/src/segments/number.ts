import { KeyError } from '../key-error.ts';

const signBit = 1n << 63n;
const allBits = (1n << 64n) - 1n;
const pattern = /^[0-9a-f]{16}$/;

/**
 * Any finite double as 16 hexadecimal digits whose order is the numbers' order: an IEEE 754 double without its
 * sign orders like its bits, so the sign bit is flipped, and of a negative number every bit.
 */
export function number(field: string, value: number): string {
  if (!Number.isFinite(value)) throw new KeyError(field, 'is not a finite number');
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value === 0 ? 0 : value); // there is one zero
  const bits = view.getBigUint64(0);
  return (bits >= signBit ? bits ^ allBits : bits | signBit).toString(16).padStart(16, '0');
}

export function parseNumberSegment(field: string, text: string): number {
  if (!pattern.test(text)) throw new KeyError(field, 'is not an encoded number');
  const ordered = BigInt(`0x${text}`);
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, ordered >= signBit ? ordered ^ signBit : ordered ^ allBits);
  return view.getFloat64(0);
}

import { KeyError } from '../key-error.ts';

const signBit = 1n << 63n;
const allBits = (1n << 64n) - 1n;
const pattern = /^[0-9a-f]{16}$/;

/**
 * A finite double as 16 hexadecimal digits in the order of the numbers: IEEE 754 doubles without sign have the order of
 * their bits, so the sign bit is inverted, and all bits of a negative number.
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

import { UnfitNumber } from '@engawa/model';
import { Rejection } from '../../refusals/rejection.ts';
import { exact } from '../quantities.ts';
import { quote } from './groups.ts';
import type { Mapping } from './mapping.ts';
import type { Metric, RawValue } from './payload.ts';

/** Bits of integers by data type; negative for signed types (Sparkplug 3.0, 6.4.16). */
const integerBits: ReadonlyMap<number | undefined, number> = new Map([
  [1, -8],
  [2, -16],
  [3, -32],
  [4, -64],
  [5, 8],
  [6, 16],
  [7, 32],
  [8, 64],
  [13, 64], // DateTime, in epoch milliseconds
]);
const boolean = 11;
/** String, Text and UUID. */
const texts: ReadonlySet<number | undefined> = new Set([12, 14, 15]);

/** Name and value of a metric. */
export interface NamedValue {
  name: string;
  value: unknown;
}

/** @throws Rejection when the name, or the type of the value, is unknown */
export function nameValue(metric: Metric, mapping: Mapping | undefined): NamedValue {
  if (metric.decodeError !== undefined) throw new Rejection(metric.decodeError);
  const { name, datatype = mapping?.byName(name ?? '')?.datatype } = metric;
  if (name !== undefined) return { name, value: toValue(metric.value, datatype, name) };
  if (metric.alias === undefined) {
    throw new Rejection('metric-without-name');
  }
  const born = mapping?.byAlias(metric.alias);
  if (born === undefined || !fits(metric.value, born.datatype)) {
    throw new Rejection('alias-not-born', { alias: metric.alias });
  }
  const value = toValue(metric.value, metric.datatype ?? born.datatype, born.name);
  return { name: born.name, value };
}

/** A value of another type than in the birth means that the alias was reassigned later. */
function fits(raw: RawValue, datatype: number | undefined): boolean {
  if (datatype === undefined || raw.kind === 'unsupported') return true;
  const kind = raw.kind === 'integer' ? 'number' : typeof raw.value;
  if (kind === 'boolean') return datatype === boolean;
  if (kind === 'string') return texts.has(datatype);
  return kind !== 'number' || (datatype !== boolean && !texts.has(datatype));
}

function toValue(raw: RawValue, datatype: number | undefined, name: string): unknown {
  if (raw.kind === 'unsupported') {
    return new UnfitNumber('a data set, template, file or array of bytes, which is not kept');
  }
  if (raw.kind === 'integer') return integer(raw, datatype, name);
  return typeof raw.value === 'number' ? exact(String(raw.value)) : raw.value;
}

/** Negative values are in two's complement, with the width of the type or of the field. */
function integer(
  { bits, width }: { bits: bigint; width: 32 | 64 },
  datatype: number | undefined,
  name: string,
): unknown {
  const size = integerBits.get(datatype);
  if (size === undefined) {
    if (bits >> BigInt(width - 1) === 0n) return exact(String(bits));
    throw new Rejection('type-not-born', { field: quote(name) });
  }
  const own = Math.abs(size);
  const value = size < 0 ? BigInt.asIntN(own, bits) : BigInt.asUintN(own, bits);
  const fitsWidth = bits >> BigInt(own) === 0n || BigInt.asIntN(width, bits) === value;
  return fitsWidth
    ? exact(String(value))
    : new UnfitNumber('a number out of the range of its type');
}

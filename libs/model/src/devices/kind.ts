import { Decimal } from '../values/decimal.ts';
import type { Fields, FieldValue } from '../readings/reading.ts';

/** Purpose of a device; determines the retention of its readings and their linger. */
export const deviceKinds = ['meter', 'climate', 'contact', 'button', 'other'] as const;
export type DeviceKind = (typeof deviceKinds)[number];

/** Names of fields that indicate a kind, if the value is of the quantity as well. */
interface Sign {
  kind: DeviceKind;
  /** The field may belong to one of several components: `switch:1.power`, `input:1.action`, `BME280.temperature`. */
  name: RegExp;
  fits: (value: FieldValue | undefined) => boolean;
}

/** The first kind with a matching field in the reading. */
const signs: readonly Sign[] = [
  {
    kind: 'meter',
    name: /^(([^.]+\.)?(energyImport|energyExport|power)|cumulative_kwh_[pn]|current_w)$/,
    fits: isNumber,
  },
  { kind: 'contact', name: /^([^.]+:\d+\.)?contact$/, fits: isGiven },
  { kind: 'button', name: /^([^.]+:\d+\.)?(action|button)$/, fits: isPress },
  {
    kind: 'climate',
    name: /^([^.]+\.)?(temperature|humidity|pressure)$|^co2$/,
    fits: isNumber,
  },
];

/**
 * The actions of an air conditioner or a heater, which Home Assistant and its devices report as `action` as well
 * (`HVACAction`).
 */
const climateActions: ReadonlySet<unknown> = new Set([
  ...['off', 'idle', 'heating', 'preheating', 'cooling', 'drying', 'fan', 'defrosting'],
]);

export function kindOf(fields: Fields): DeviceKind {
  const names = Object.keys(fields);
  const indicates = ({ name, fits }: Sign) =>
    names.some((field) => name.test(field) && fits(fields[field]));
  return signs.find(indicates)?.kind ?? 'other';
}

/** A text or a switch called `power` is no meter; null says nothing. */
function isNumber(value: FieldValue | undefined): boolean {
  return typeof value === 'number' || value instanceof Decimal;
}

function isGiven(value: FieldValue | undefined): boolean {
  return value !== undefined && value !== null;
}

function isPress(value: FieldValue | undefined): boolean {
  return isGiven(value) && !climateActions.has(value);
}

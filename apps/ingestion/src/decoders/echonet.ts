import { Decimal, parseTime } from '@engawa/model';
import { Rejection } from '../rejection.ts';
import { isObject, readObject } from './payload.ts';
import { exact, nameQuantities, product } from './quantities.ts';
import { deviceOf } from './topic-filter.ts';
import { ignored, oneReading } from './decoder.ts';
import type { ExactNumber } from '@engawa/model';
import type { DecoderKind } from './decoder.ts';
import type { Claim } from './quantities.ts';

/**
 * Properties of a low-voltage smart electric energy meter (ECHONET Lite, Appendix "Detailed Requirements for ECHONET
 * Device Objects", class 0x0288).
 */
const coefficient = 0xd3;
const unit = 0xe1;
const importedEnergy = 0xe0;
const exportedEnergy = 0xe3;
const instantaneousPower = 0xe7;

/** What the property 0xE1 says a step of cumulative energy is, in kWh. */
const unitValues: ReadonlyMap<unknown, number> = new Map([
  [0x00, 1],
  [0x01, 0.1],
  [0x02, 0.01],
  [0x03, 0.001],
  [0x04, 0.0001],
  [0x0a, 10],
  [0x0b, 100],
  [0x0c, 1000],
  [0x0d, 10_000],
]);

interface Property {
  name: string;
  epc: unknown;
  value: unknown;
  updatedAt: unknown;
}

/** Electricity meters as Nature Remo E reads them from ECHONET Lite. */
export const echonet: DecoderKind = {
  name: 'echonet',
  defaultFilters: ['nature/+/smart_meter'],
  create: () => (source) => {
    if (source.payload.length === 0) return ignored();
    const list = readObject(source.payload)['echonetlite_properties'];
    if (!Array.isArray(list)) {
      throw new Rejection('malformed', 'the payload has no list echonetlite_properties');
    }
    const properties = list.map(toProperty);
    const fields = Object.fromEntries(properties.map(({ name, value }) => [name, value]));
    if (Object.keys(fields).length < properties.length) {
      throw new Rejection('bad_field', 'a property is given twice');
    }
    const device = deviceOf(source, source.levels.at(-1) === 'smart_meter' ? 1 : 0);
    return oneReading(device, newest(properties), nameQuantities(fields, claimsOf(properties)));
  },
};

function toProperty(entry: unknown): Property {
  if (!isObject(entry)) throw new Rejection('malformed', 'a property is not an object');
  const { name, epc, val, updated_at: updatedAt } = entry;
  if (typeof name !== 'string' || name === '') {
    throw new Rejection('bad_field', 'a property has no name');
  }
  return { name, epc, value: toValue(val ?? null), updatedAt };
}

/** Values are texts, whatever they are of. */
function toValue(text: unknown): unknown {
  return typeof text === 'string' && /^-?\d+(\.\d+)?$/.test(text) ? exact(text) : text;
}

function claimsOf(properties: readonly Property[]): Claim[] {
  const valueOf = (wanted: number) => properties.find(({ epc }) => epc === wanted)?.value;
  const factor = valueOf(coefficient) ?? 1; // a meter without the property has no other
  const step = unitValues.get(valueOf(unit));
  return properties.flatMap(({ name, epc, value }): Claim[] => {
    const path = [name];
    if (!isNumber(value)) return [];
    if (epc === instantaneousPower) return [{ path, name: 'power', value }];
    if (epc !== importedEnergy && epc !== exportedEnergy) return [];
    // Without its unit it is no energy, and stays the count that it is.
    if (step === undefined || !isNumber(factor)) return [];
    const quantity = epc === importedEnergy ? 'energyImport' : 'energyExport';
    return [{ path, name: quantity, value: product(value, factor, step) }];
  });
}

function isNumber(value: unknown): value is ExactNumber {
  return typeof value === 'number' || value instanceof Decimal;
}

/** The time of the last property that changed; one that is no time, where there is one, so that it is refused. */
function newest(properties: readonly Property[]): unknown {
  let latest: { text: unknown; time: number } | undefined;
  for (const { updatedAt: text } of properties) {
    if (text === undefined || text === null) continue;
    const time = typeof text === 'string' ? parseTime(text) : undefined;
    if (time === undefined) return text;
    if (latest === undefined || time > latest.time) latest = { text, time };
  }
  return latest?.text;
}

import { Decimal, parseTime, UnfitNumber } from '@engawa/model';
import { Rejection } from '../refusals/rejection.ts';
import { UnfitValue } from '../refusals/unfit-value.ts';
import { beginsAsObject, isObject, readObject } from './payload.ts';
import { RepeatedValues } from './repeated-values.ts';
import { exact, nameQuantities, product, uniqueFields } from './quantities.ts';
import { deviceOf } from './topic-filter.ts';
import { ignored, unproven } from './decoder.ts';
import type { ExactNumber } from '@engawa/model';
import type { DecoderKind, Draft } from './decoder.ts';
import type { NamedQuantity } from './quantities.ts';
import type { MatchedTopic } from './topic-filter.ts';

/**
 * Properties of a low-voltage smart electric energy meter (ECHONET Lite, Appendix "Detailed Requirements for ECHONET
 * Device Objects", class 0x0288).
 */
const coefficient = 0xd3;
const unit = 0xe1;
const importedEnergy = 0xe0;
const exportedEnergy = 0xe3;
const instantaneousPower = 0xe7;
const instantaneousCurrents = 0xe8;

interface ValueRange {
  least: number;
  greatest: number;
  /** The code for "no value". */
  noData: number;
}

const count: ValueRange = { least: 0, greatest: 99_999_999, noData: 0xff_ff_ff_fe };

/** Valid values of the properties. The codes of overflow and underflow (0xFFFFFFFF, 0x80000000) are outside. */
const ranges: ReadonlyMap<unknown, ValueRange> = new Map([
  [coefficient, { least: 0, greatest: 999_999, noData: 0xff_ff_ff_fe }],
  [importedEnergy, count],
  [exportedEnergy, count],
  [instantaneousPower, { least: -0x7f_ff_ff_ff, greatest: 0x7f_ff_ff_fd, noData: 0x7f_ff_ff_fe }],
  [instantaneousCurrents, { least: -0x7f_ff, greatest: 0x7f_fd, noData: 0x7f_fe }],
]);

/** Values of the property 0xE1: kWh per step of cumulative energy. */
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

/** Maximum number of devices whose last values are remembered. */
const maxDevices = 10_000;

interface Property {
  name: string;
  epc: unknown;
  /** `undefined` if the meter has no value; an UnfitValue if it cannot be stored. */
  value: unknown;
  updatedAt: unknown;
}

/** Electricity meters, as Nature Remo E reads them over ECHONET Lite. */
export const echonet: DecoderKind = {
  name: 'echonet',
  defaultFilters: ['nature/+/smart_meter'],
  deviceOf: meterOf,
  create: () => {
    const repeated = new RepeatedValues(maxDevices);
    return (source) => {
      const { filter, payload } = source;
      if (payload.length === 0) return ignored();
      if (filter.isDefault && !beginsAsObject(payload)) return unproven();
      const list = readObject(payload)['echonetlite_properties'];
      if (!Array.isArray(list)) {
        if (filter.isDefault) return unproven();
        throw new Rejection('properties-missing');
      }
      const properties = uniqueProperties(list.map(toProperty));
      const device = meterOf(source);
      // A replay stores also what was decoded before.
      const isRepeated = ({ time, properties: updated }: TimedProperties) =>
        source.replayed === undefined &&
        typeof time === 'string' &&
        repeated.has(device, time, updated);
      return { device, drafts: draftsOf(properties, isRepeated), isBatched: false };
    };
  },
};

function meterOf(topic: MatchedTopic): string {
  return deviceOf(topic, topic.levels.at(-1) === 'smart_meter' ? 1 : 0);
}

/** Properties that were updated at one time. */
interface TimedProperties {
  time: unknown;
  properties: readonly Property[];
}

/**
 * One reading for each time of an update, except the earlier ones that a message before has reported; and one for each
 * value that cannot be stored, so that it is refused alone.
 */
function draftsOf(
  all: readonly Property[],
  isRepeated: (group: TimedProperties) => boolean,
): Draft[] {
  const quantities = quantitiesOf(all);
  const latest = newest(all);
  const groups = Map.groupBy(all, ({ updatedAt }) => updatedAt ?? latest);
  const drafts = [...groups].flatMap(([time, properties]) => {
    // Asked also for the latest values, which the next message may repeat.
    const isOmitted = isRepeated({ time, properties }) && time !== latest;
    return draftsAt({ time, properties }, quantities).map((draft) => ({ draft, isOmitted }));
  });
  // Omitted drafts count: a replay has them, and names drafts by these indexes.
  return drafts.flatMap(({ draft, isOmitted }, index) => (isOmitted ? [] : [{ ...draft, index }]));
}

function draftsAt(
  { time, properties }: TimedProperties,
  quantities: readonly NamedQuantity[],
): Draft[] {
  const [fit = [], unfit = []] = [false, true].map((wanted) =>
    properties
      .filter(({ value }) => value !== undefined && value instanceof UnfitNumber === wanted)
      .map(({ name, value }) => [name, value] as const),
  );
  const given = Object.fromEntries(fit);
  const named = quantities.filter(({ path: [name = ''] }) => Object.hasOwn(given, name));
  const refused = unfit.map((entry) => ({ time, fields: Object.fromEntries([entry]) }));
  return fit.length > 0 ? [{ time, fields: nameQuantities(given, named) }, ...refused] : refused;
}

/** None of several properties with the same name can be stored. */
function uniqueProperties(all: readonly Property[]): Property[] {
  const values = uniqueFields(all.map(({ name, value }) => [name, value]));
  return all.map((property) => {
    const value = values[property.name];
    return value instanceof UnfitValue ? { ...property, value } : property;
  });
}

function toProperty(entry: unknown, index: number): Property {
  const { name, epc, val, updated_at: updatedAt } = isObject(entry) ? entry : {};
  if (typeof name !== 'string' || name === '') {
    const value = new UnfitValue(isObject(entry) ? 'property-without-name' : 'property-not-object');
    return { name: `echonetlite_properties.${index}`, epc: undefined, value, updatedAt: undefined };
  }
  return { name, epc, value: inRange(epc, toValue(val ?? null)), updatedAt };
}

/** Values are texts for every type of property. */
function toValue(text: unknown): unknown {
  return typeof text === 'string' && /^-?\d+(\.\d+)?$/.test(text) ? exact(text) : text;
}

/** The value; a reason if the standard does not allow it for the property; `undefined` for the code "no data". */
function inRange(epc: unknown, value: unknown): unknown {
  const range = ranges.get(epc);
  if (range === undefined || !isNumber(value)) return value;
  const { least, greatest, noData } = range;
  const number = Number(String(value));
  if (number === noData) return undefined;
  if (number >= least && number <= greatest) return value;
  return new UnfitNumber(`${String(value)} is not from ${least} to ${greatest}`);
}

function quantitiesOf(properties: readonly Property[]): NamedQuantity[] {
  const valueOf = (wanted: number) => properties.find(({ epc }) => epc === wanted)?.value;
  const step = unitValues.get(valueOf(unit));
  // A meter with a unit but without the coefficient property has the coefficient 1.
  const has = properties.some(({ epc }) => epc === coefficient);
  const factor = has ? valueOf(coefficient) : 1;
  return properties.flatMap(({ name, epc, value }): NamedQuantity[] => {
    const path = [name];
    if (!isNumber(value)) return [];
    if (epc === instantaneousPower) return [{ path, name: 'power', value }];
    if (epc !== importedEnergy && epc !== exportedEnergy) return [];
    // Without unit or coefficient the value is not an energy: it stays a count.
    if (step === undefined || !isNumber(factor)) return [];
    const quantity = epc === importedEnergy ? 'energyImport' : 'energyExport';
    return [{ path, name: quantity, value: product(value, factor, step) }];
  });
}

function isNumber(value: unknown): value is ExactNumber {
  return typeof value === 'number' || value instanceof Decimal;
}

/** The time of the property that changed last. */
function newest(properties: readonly Property[]): unknown {
  let latest: { text: unknown; time: number } | undefined;
  for (const { updatedAt: text } of properties) {
    const time = typeof text === 'string' ? parseTime(text) : undefined;
    if (time === undefined) continue;
    if (latest === undefined || time > latest.time) latest = { text, time };
  }
  return latest?.text;
}

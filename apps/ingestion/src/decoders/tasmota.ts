import { timeOfSetClock } from './device-clock.ts';
import { beginsAsObject, isObject, readObject } from './payload.ts';
import { isMeasured, nameQuantities, numberOf, uniqueFields } from './quantities.ts';
import { zonedClock } from './zoned-clock.ts';
import { deviceOf } from './topic-filter.ts';
import { ignored, oneReading, unproven } from './decoder.ts';
import type { DecoderKind } from './decoder.ts';
import type { NamedQuantity, Quantity } from './quantities.ts';
import type { MatchedTopic } from './topic-filter.ts';

/** At most one. */
const meter = 'ENERGY';

/** Quantities of the meter (Tasmota, `xdrv_03_energy`): W, V, A, and kWh since the meter was reset. */
const energyQuantities: readonly [string, Quantity][] = [
  ['Power', 'power'],
  ['Total', 'energyImport'],
  ['ExportActive', 'energyExport'],
  ['Voltage', 'voltage'],
  ['Current', 'current'],
];

/** Quantities of the other sections, one per sensor, with the property that gives the unit. */
const sensorQuantities: readonly [string, Quantity, unit?: readonly [string, string]][] = [
  ['Temperature', 'temperature', ['TempUnit', 'C']],
  ['Humidity', 'humidity'],
  ['Pressure', 'pressure', ['PressureUnit', 'hPa']],
  ['Battery', 'battery'],
];

/** Tasmota's periodic telemetry. */
export const tasmota: DecoderKind = {
  name: 'tasmota',
  defaultFilters: ['tele/+/SENSOR', 'tele/+/STATE'],
  deviceOf: tasmotaDevice,
  create: ({ timeZone, tasmotaMainSensors }) => {
    const instantOf = zonedClock(timeZone);
    const mainSections = new Set([meter, ...tasmotaMainSensors]);
    return (source) => {
      const kind = source.levels.at(-1);
      const isReading = kind === 'SENSOR' || kind === 'STATE';
      if (!isReading || source.payload.length === 0) return ignored();
      if (source.filter.isDefault && !beginsAsObject(source.payload)) return unproven();
      const { Time: time, ...sections } = readObject(source.payload);
      const fields = uniqueFields(
        Object.entries(sections).map(([name, section]) => [sensorOf(name, section), section]),
      );
      return oneReading(
        tasmotaDevice(source),
        timeOfSetClock(typeof time === 'string' ? instantOf(time, source.receivedAt) : time),
        nameQuantities(fields, quantitiesOf(fields, mainSections)),
      );
    };
  },
};

function tasmotaDevice(topic: MatchedTopic): string {
  return deviceOf(topic, 1);
}

/** A sensor on a 1-wire bus (Tasmota, `xsns_05_ds18x20`), with its number on the bus. */
const oneWireSensor = /^(DS18S20|DS1822|DS18B20|MAX31850)([-_]\d+)?$/;

/**
 * The name of a section's sensor. Tasmota renumbers the sensors of a bus when one is lost or found, and gives a single
 * sensor no number: only the address is stable.
 */
function sensorOf(name: string, section: unknown): string {
  const type = oneWireSensor.exec(name)?.[1];
  const address = isObject(section) ? section['Id'] : undefined;
  const isKnown = typeof address === 'string' && /^[0-9A-F]+$/i.test(address);
  return type !== undefined && isKnown ? `${type}-${address}` : name;
}

function quantitiesOf(
  fields: Readonly<Record<string, unknown>>,
  mainSections: ReadonlySet<string>,
): NamedQuantity[] {
  return Object.entries(fields).flatMap(([sensor, section]): NamedQuantity[] => {
    // The ESP32 has a thermometer in its chip, which does not measure the room.
    if (!isObject(section) || sensor.startsWith('ESP32')) return [];
    const isMain = mainSections.has(sensor);
    return rulesOf(sensor).flatMap(([own, quantity, unit]): NamedQuantity[] => {
      const value = numberOf(section[own]);
      const inOurUnit = unit === undefined || fields[unit[0]] === unit[1];
      const measured = Object.hasOwn(section, own) && isMeasured(value);
      const name = isMain ? quantity : (`${sensor}.${quantity}` as const);
      return measured && inOurUnit ? [{ path: [sensor, own], name, value }] : [];
    });
  });
}

function rulesOf(sensor: string): typeof sensorQuantities {
  return sensor === meter ? energyQuantities : sensorQuantities;
}

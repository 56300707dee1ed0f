import { isObject, readObject } from './payload.ts';
import { isMeasured, nameQuantities } from './quantities.ts';
import { zonedClock } from './zoned-clock.ts';
import { deviceOf } from './topic-filter.ts';
import { ignored, oneReading } from './decoder.ts';
import type { DecoderKind } from './decoder.ts';
import type { Claim, Quantity } from './quantities.ts';

/** Of the section ENERGY (Tasmota, `xdrv_03_energy`): W, V, A, and kWh since the meter was reset. */
const energyQuantities: readonly [string, Quantity][] = [
  ['Power', 'power'],
  ['Total', 'energyImport'],
  ['ExportActive', 'energyExport'],
  ['ExportTotal', 'energyExport'],
  ['Voltage', 'voltage'],
  ['Current', 'current'],
];

/** Of every other section, one for each sensor; with what has to be said of the unit. */
const sensorQuantities: readonly [string, Quantity, unit?: readonly [string, string]][] = [
  ['Temperature', 'temperature', ['TempUnit', 'C']],
  ['Humidity', 'humidity'],
  ['Pressure', 'pressure', ['PressureUnit', 'hPa']],
];

/** Tasmota's periodic telemetry. */
export const tasmota: DecoderKind = {
  name: 'tasmota',
  defaultFilters: ['tele/+/SENSOR', 'tele/+/STATE'],
  create: ({ timeZone }) => {
    const instantOf = zonedClock(timeZone);
    return (source) => {
      const kind = source.levels.at(-1);
      const isReading = kind === 'SENSOR' || kind === 'STATE';
      if (!isReading || source.payload.length === 0) return ignored();
      const { Time: time, ...fields } = readObject(source.payload);
      return oneReading(
        deviceOf(source, 1),
        typeof time === 'string' ? instantOf(time) : time,
        nameQuantities(fields, claimsOf(fields)),
      );
    };
  },
};

function claimsOf(fields: Record<string, unknown>): Claim[] {
  return Object.entries(fields).flatMap(([sensor, section]): Claim[] => {
    // The chip of an ESP32 has a thermometer, too, which says nothing about the room.
    if (!isObject(section) || sensor.startsWith('ESP32')) return [];
    return rulesOf(sensor).flatMap(([own, name, unit]): Claim[] => {
      const value = section[own];
      const inOurUnit = unit === undefined || fields[unit[0]] === unit[1];
      const measured = Object.hasOwn(section, own) && isMeasured(value);
      return measured && inOurUnit ? [{ path: [sensor, own], name, value }] : [];
    });
  });
}

function rulesOf(sensor: string): typeof sensorQuantities {
  return sensor === 'ENERGY' ? energyQuantities : sensorQuantities;
}

import type { Device } from './homes.ts';
import { someOrAll } from '@engawa/testing';
import { devices as allDevices } from './homes.ts';
import { oneDay, oneHour, oneMinute } from './physics/clock.ts';
import { meterInstalledAt } from './physics/meter.ts';
import type { Reading } from './simulation.ts';
import { Simulation } from './simulation.ts';

const simulation = new Simulation();
// Soon after the meters were installed: they add up all days since then. A Monday.
const midnight = Date.parse('2025-01-20T00:00:00+09:00');
/** One of each kind, or all. */
const devices = someOrAll(
  [...Map.groupBy(allDevices, ({ kind }) => kind).values()].flatMap(([first]) => first ?? []),
  allDevices,
);
const meters = devices.filter(({ kind }) => kind === 'meter');
const sensors = devices.filter((device) => device.kind === 'climate');
const doors = devices.filter(({ kind }) => kind === 'door');

/** The numbers of one field, in order. */
function numbers(readings: readonly Reading[], field: string): number[] {
  return readings.map(({ fields }) => Number(fields[field]));
}

function days(device: Device, from: number, count: number): Reading[] {
  return simulation.readingsBetween(device, from, from + count * oneDay);
}

const steps = (values: readonly number[]): number[] =>
  values.slice(1).map((value, index) => value - (values[index] ?? NaN));
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

describe('every device', () => {
  it.each(devices)('$id: the same seed and time give the same reading', (device) => {
    const again = new Simulation();
    // In another order, so that no result depends on earlier calls.
    const evening = again.readingsBetween(device, midnight + oneDay / 2, midnight + oneDay);
    const morning = again.readingsBetween(device, midnight, midnight + oneDay / 2);
    expect([...morning, ...evening]).toEqual(days(device, midnight, 1));
    expect(morning.length + evening.length).toBeGreaterThan(0);
  });

  it.each(devices)('$id: another seed gives another day', (device) => {
    const other = new Simulation({ seed: 'other' });
    expect(other.readingsBetween(device, midnight, midnight + oneDay)).not.toEqual(
      days(device, midnight, 1),
    );
  });

  it('has a reading at every whole minute from `from` on, before `to`', () => {
    for (const device of [...meters, ...sensors]) {
      const readings = simulation.readingsBetween(device, midnight, midnight + 2 * oneMinute);
      expect(readings.map(({ time }) => time)).toEqual([midnight, midnight + oneMinute]);
      expect(simulation.readingsBetween(device, midnight + 1, midnight + oneMinute)).toEqual([]);
    }
  });

  it('plays different days in different rooms, homes and weeks', () => {
    const played = [...meters, ...sensors].flatMap((device) =>
      [0, 1].map((week) => JSON.stringify(days(device, midnight + week * 7 * oneDay, 1))),
    );
    expect(new Set(played).size).toBe(played.length);
  });
});

describe.each(meters)('$id', (meter) => {
  const week = days(meter, midnight, 7);
  const power = numbers(week, 'power');

  it('never decreases, with three decimals', () => {
    for (const field of ['energyImport', 'energyExport']) {
      const counter = numbers(week, field);
      expect(Math.min(...steps(counter))).toBeGreaterThanOrEqual(0);
      expect(counter.every((value) => Number(value.toFixed(3)) === value)).toBe(true);
    }
  });

  it('counts the integral of its power, imported and exported separately', () => {
    const kilowattHours = (watts: number[]) =>
      watts.reduce((sum, value) => sum + value, 0) / 60_000;
    const drawn = kilowattHours(power.slice(1).map((watts) => Math.max(0, watts)));
    const given = kilowattHours(power.slice(1).map((watts) => Math.max(0, -watts)));
    const counted = (field: string) => {
      const counter = numbers(week, field);
      return (counter.at(-1) ?? NaN) - (counter[0] ?? NaN);
    };
    // Two roundings to a watt-hour.
    expect(Math.abs(counted('energyImport') - drawn)).toBeLessThanOrEqual(0.00101);
    expect(Math.abs(counted('energyExport') - given)).toBeLessThanOrEqual(0.00101);
    expect(drawn).toBeGreaterThan(7 * 3);
    expect(drawn).toBeLessThan(7 * 25);
  });

  it('exports at noon in the sun, and imports at night and in the evening', () => {
    const hour = (first: number, last: number) =>
      week
        .filter(({ time }) => {
          const hours = ((time - midnight) % oneDay) / oneHour;
          return hours >= first && hours < last;
        })
        .map(({ fields }) => Number(fields['power']));
    expect(mean(hour(11, 13))).toBeLessThan(-100);
    expect(Math.min(...hour(18, 24), ...hour(0, 5))).toBeGreaterThan(50);
    expect(mean(hour(18, 23))).toBeGreaterThan(200);
    expect(Math.max(...power)).toBeLessThan(6000);
  });

  it('has no readings from before its installation, and starts with its initial register', () => {
    const first = simulation.readingsBetween(
      meter,
      meterInstalledAt - oneHour,
      meterInstalledAt + oneHour,
    );
    expect(first[0]?.time).toBe(meterInstalledAt + oneMinute);
    const counter = numbers(first, 'energyImport')[0] ?? NaN;
    expect(Math.abs(counter - meter.home.meterStart.import)).toBeLessThan(0.1);
  });
});

describe.each(sensors)('$id', (sensor) => {
  const seasons = Array.from({ length: 4 }, (_, season) =>
    days(sensor, midnight + season * 91 * oneDay, 2),
  );

  it('stays in the range of an inhabited house all year', () => {
    for (const readings of seasons) {
      const temperatures = numbers(readings, 'temperature');
      expect(Math.min(...temperatures)).toBeGreaterThan(10);
      expect(Math.max(...temperatures)).toBeLessThan(33);
      const humidities = numbers(readings, 'humidity');
      expect(Math.min(...humidities)).toBeGreaterThanOrEqual(12);
      expect(Math.max(...humidities)).toBeLessThanOrEqual(95);
      for (const battery of numbers(readings, 'battery')) {
        expect(battery).toBeGreaterThanOrEqual(15);
        expect(battery).toBeLessThanOrEqual(100);
      }
    }
  });

  it('changes without jumps, also over midnight', () => {
    for (const readings of seasons) {
      expect(Math.max(...steps(numbers(readings, 'temperature')).map(Math.abs))).toBeLessThan(0.31);
      expect(Math.max(...steps(numbers(readings, 'humidity')).map(Math.abs))).toBeLessThan(4);
    }
  });

  it('is warmer in summer', () => {
    const [winter, , summer] = seasons.map((readings) => mean(numbers(readings, 'temperature')));
    expect(summer).toBeGreaterThan((winter ?? NaN) + 1);
  });
});

it('is warm in occupied rooms on winter evenings, and cold at the end of the night', () => {
  for (const sensor of sensors.filter(({ room }) => room.use !== 'sleeping')) {
    const temperatures = numbers(days(sensor, midnight, 7), 'temperature');
    const at = (hour: number) =>
      mean(temperatures.filter((_, minute) => minute % 1440 === hour * 60));
    expect(at(21)).toBeGreaterThan(at(5) + 1.5);
    expect(at(21)).toBeGreaterThan(17);
  }
});

describe.each(doors)('$id', (door) => {
  const events = days(door, midnight, 60);

  it('opens and closes alternately, and is closed at midnight', () => {
    for (let day = 0; day < 60; day += 1) {
      const contacts = days(door, midnight + day * oneDay, 1).map(
        ({ fields }) => fields['contact'],
      );
      expect(contacts).toEqual(contacts.map((_, index) => (index % 2 === 0 ? 'open' : 'closed')));
      expect(contacts.length % 2).toBe(0);
    }
    expect(events.length).toBeGreaterThan(60 * 2);
    expect(events.length).toBeLessThan(60 * 24);
  });

  it('changes at increasing whole seconds during the day', () => {
    const times = events.map(({ time }) => time);
    expect(Math.min(...steps(times))).toBeGreaterThanOrEqual(1000);
    for (const time of times) {
      expect(time % 1000).toBe(0);
      const hours = ((time - midnight) % oneDay) / oneHour;
      expect(hours).toBeGreaterThan(5);
      expect(hours).toBeLessThan(23);
    }
  });
});

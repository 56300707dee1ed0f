import type { Device, DoorSensor, Home, Room } from './homes.ts';
import { devices, homes } from './homes.ts';
import { batteryOf } from './physics/battery.ts';
import { roomOf } from './physics/climate.ts';
import { dayOf, oneMinute } from './physics/clock.ts';
import type { DoorEvent } from './physics/door.ts';
import { doorEvents } from './physics/door.ts';
import { meterOf } from './physics/meter.ts';
import { planDay } from './physics/people.ts';
import { memoize } from './physics/memoize.ts';
import { weatherOf } from './physics/weather.ts';

/** A reading of a device at one instant (ms since 1970): numbers and texts by field name. */
export interface Reading {
  time: number;
  fields: Readonly<Record<string, number | string>>;
}

/** Gives the readings of one device in `[from, to)`, in order. */
type Source = (from: number, to: number) => Reading[];

const tenths = (value: number): number => Math.round(value * 10) / 10;

/** One reading at each whole minute with data. */
function everyMinute(fieldsAt: (time: number) => Reading['fields'] | undefined): Source {
  return (from, to) => {
    const readings: Reading[] = [];
    for (let time = Math.ceil(from / oneMinute) * oneMinute; time < to; time += oneMinute) {
      const fields = fieldsAt(time);
      if (fields) readings.push({ time, fields });
    }
    return readings;
  };
}

function modelOf(home: Home, seed: string): (device: Device) => Source {
  const weather = weatherOf(home, seed);
  const planOf = memoize(10, (day) => planDay(home, day, seed));

  const climate = (room: Room, battery: (time: number) => number): Source => {
    const airAt = roomOf({ home, room, seed, weather, planOf });
    return everyMinute((time) => {
      const air = airAt(time);
      return {
        temperature: tenths(air.temperature),
        humidity: tenths(air.humidity),
        battery: battery(time),
      };
    });
  };
  const door = (sensor: DoorSensor, battery: (time: number) => number): Source => {
    const eventsOf = memoize(3, (day) => doorEvents(sensor, day, planOf(day), seed));
    return (from, to) => {
      const events: DoorEvent[] = [];
      for (let day = dayOf(from); day <= dayOf(to); day += 1) events.push(...eventsOf(day));
      return events
        .filter(({ time }) => time >= from && time < to)
        .map(({ time, contact }) => ({ time, fields: { contact, battery: battery(time) } }));
    };
  };
  return (device) => {
    const battery = batteryOf(device.id, seed);
    switch (device.kind) {
      case 'meter': {
        const meterAt = meterOf({ home, seed, weather, planOf });
        return everyMinute((time) => {
          const registers = meterAt(time);
          return registers && { ...registers };
        });
      }
      case 'climate':
        return climate(device.room, battery);
      case 'door':
        return door(device, battery);
    }
  };
}

/**
 * Three homes and their days. A reading depends on nothing but the seed, the device and the time, so
 * that who plays the same time again sends the same readings.
 */
export class Simulation {
  readonly #sources: ReadonlyMap<string, Source>;

  constructor({ seed = 'engawa' }: { seed?: string } = {}) {
    const models = new Map(homes.map((home) => [home.id, modelOf(home, seed)]));
    this.#sources = new Map(
      devices.flatMap((device) => {
        const model = models.get(device.home.id);
        return model ? [[device.id, model(device)] as const] : [];
      }),
    );
  }

  /**
   * What a device has to say of `[from, to)` (ms since 1970), oldest first: meters and climate sensors at
   * each whole minute, doors when they were opened or closed.
   */
  readingsBetween(device: Device, from: number, to: number): Reading[] {
    return this.#sources.get(device.id)?.(from, to) ?? [];
  }
}

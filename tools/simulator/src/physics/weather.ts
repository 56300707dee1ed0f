import type { Home } from '../homes.ts';
import { dayOf, minuteOfDay, oneDay, oneHour } from './clock.ts';
import { smoothAt, streamOf } from './random.ts';

const { cos, max, min, PI, sin } = Math;
const daysInYear = 365.2425;
const radians = (degrees: number): number => (degrees * PI) / 180;

/** Days since the last 1 January, to within a day; 0 to 365.24. */
function dayOfYear(day: number): number {
  return day % daysInYear;
}

export interface Weather {
  /** Outside, °C. */
  temperature: (time: number) => number;
  /** Humidity of the outside air as its dew point, °C. */
  dewPoint: (time: number) => number;
  /** Sine of the height of the sun; 0 while it is below the horizon. */
  sunHeight: (time: number) => number;
  /** Share of sunlight through the clouds, 0.15 to 1. */
  clearness: (time: number) => number;
}

/** The weather over one home: the seasons, fronts that take days, clouds that take hours. */
export function weatherOf(home: Home, seed: string): Weather {
  const { site } = home;
  const fronts = streamOf(seed, home.id, 'fronts');
  const clouds = streamOf(seed, home.id, 'clouds');
  const sinLatitude = sin(radians(site.latitude));
  const cosLatitude = cos(radians(site.latitude));

  const cloudiness = (time: number): number => {
    const wide = smoothAt(fronts, time / (2 * oneDay) + 0.5);
    const local = smoothAt(clouds, time / (3 * oneHour));
    return min(1, max(0, wide * 1.1 + local * 0.5 - 0.35));
  };
  // Warmest in the last days of July, as in most of Japan.
  const dailyMean = (time: number): number =>
    site.meanTemperature +
    site.yearlySwing * cos((2 * PI * (time / oneDay - 208)) / daysInYear) +
    8 * (smoothAt(fronts, time / (2 * oneDay)) - 0.5);

  return {
    temperature: (time) => {
      // Clouds keep the day cool and the night warm; warmest at half past two.
      const swing = site.dailySwing * (1 - 0.55 * cloudiness(time));
      return dailyMean(time) + swing * cos((2 * PI * (minuteOfDay(time) - 870)) / 1440);
    },
    dewPoint: (time) => dailyMean(time) - 8 + 5 * cloudiness(time),
    sunHeight: (time) => {
      // Declination and hour angle to within a degree; the clock is right at 135° east.
      const tilt = radians(-23.44) * cos((2 * PI * (dayOfYear(dayOf(time)) + 10)) / 365);
      const hourAngle = radians(minuteOfDay(time) / 4 - 180 + (site.longitude - 135));
      const height = sinLatitude * sin(tilt) + cosLatitude * cos(tilt) * cos(hourAngle);
      return max(0, height);
    },
    clearness: (time) => 1 - 0.85 * cloudiness(time),
  };
}

import { oneDay } from './clock.ts';
import { randomAt, streamOf } from './random.ts';

/** Per cent left in the battery of a device: new ones last from ten to twenty months, down to 15 %. */
export function batteryOf(device: string, seed: string): (time: number) => number {
  const stream = streamOf(seed, device, 'battery');
  const life = 300 + Math.round(300 * randomAt(stream, 0));
  const age = life * randomAt(stream, 1);
  return (time) => Math.round(100 - 85 * (((time / oneDay + age) % life) / life));
}

import { columnSeconds } from './heat-grid.ts';
import type { Resolution } from './heat-grid.ts';
import type { Measure } from './heat-row.ts';

/**
 * Colours from low to high with a steady change of lightness, which readers with any colour vision see: viridis for the
 * dark theme, magma from light to dark for the light theme (matplotlib, "Perceptually Uniform Sequential").
 */
const anchors = {
  dark: '#440154 #482878 #3e4989 #31688e #26828e #1f9e89 #35b779 #6ece58 #b5de2b #fde725',
  light: '#fcfdbf #fed395 #fea973 #fa7d5e #e95462 #c83e73 #a3307e #7e2482 #59157e #331067 #180f3d',
} as const;

export type PaletteTheme = keyof typeof anchors;

/** Red, green and blue from 0 to 255. */
export type Rgb = readonly [number, number, number];

const shades = 256;

/** The colours of a theme from low to high. */
export function paletteOf(theme: PaletteTheme): Rgb[] {
  const colours = anchors[theme].split(' ').map(parseColour);
  return Array.from({ length: shades }, (_, shade) => {
    const at = (shade / (shades - 1)) * (colours.length - 1);
    const before = Math.min(Math.floor(at), colours.length - 2);
    const [low, high] = [colours[before], colours[before + 1]] as [Rgb, Rgb];
    const mix = (channel: 0 | 1 | 2): number =>
      Math.round(low[channel] + (high[channel] - low[channel]) * (at - before));
    return [mix(0), mix(1), mix(2)] as const;
  });
}

function parseColour(text: string): Rgb {
  const part = (from: number): number => Number.parseInt(text.slice(from, from + 2), 16);
  return [part(1), part(3), part(5)];
}

export function cssColour([red, green, blue]: Rgb): string {
  return `rgb(${red} ${green} ${blue})`;
}

/** The values per second that have the first and the last colour. */
export interface Domain {
  low: number;
  high: number;
}

/** A partition's limits are the upper ends. @param limits units per second of one partition */
export function domainOf(measure: Measure, limits: { read: number; write: number }): Domain {
  if (measure === 'load') return { low: 0.0001, high: 1 };
  if (measure === 'reads') return { low: 0.1, high: limits.read };
  if (measure === 'writes') return { low: 0.1, high: limits.write };
  return { low: 0.1, high: 100 };
}

/** The place of a value between the ends of the scale, which is logarithmic: from 0 to 1. */
export function placeOf(value: number, { low, high }: Domain): number {
  const place = Math.log(value / low) / Math.log(high / low);
  return Math.min(1, Math.max(0, place));
}

/** A float32 without its 19 lowest bits: sign, exponent and 4 bits of the mantissa, so 16 steps per power of two. */
export const lookupShift = 19;
const lookupLength = 2 ** (32 - lookupShift - 1);

/**
 * The pixel of each value by the highest bits of its float32, so that drawing needs no logarithm. A pixel has its bytes
 * in the order of ImageData on a little-endian machine; 0, without use, is transparent.
 */
export function lookupTable(
  theme: PaletteTheme,
  { measure, resolution, domain }: { measure: Measure; resolution: Resolution; domain: Domain },
): Uint32Array {
  const palette = paletteOf(theme);
  // The load of a column is a share already; other measures are sums of the seconds of a column.
  const seconds = measure === 'load' ? 1 : columnSeconds[resolution];
  const table = new Uint32Array(lookupLength);
  const float = new Float32Array(1);
  const bits = new Uint32Array(float.buffer);
  for (let index = 1; index < lookupLength; index += 1) {
    bits[0] = (index << lookupShift) >>> 0;
    const place = placeOf((float[0] ?? 0) / seconds, domain);
    const [red, green, blue] = palette[Math.round(place * (shades - 1))] ?? [0, 0, 0];
    table[index] = ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
  }
  return table;
}

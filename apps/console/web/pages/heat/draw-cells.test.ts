import { drawCells, pixelColumns } from './draw-cells.ts';
import { domainOf, lookupTable, paletteOf } from './palette.ts';

const domain = domainOf('load', { read: 3000, write: 1000 });
const lookup = lookupTable('dark', { measure: 'load', resolution: 'second', domain });

function draw(
  rows: Float32Array[],
  first: number,
  columns: number,
  pool = 1,
): Uint8ClampedArray[][] {
  const width = pixelColumns({ first, columns, pool });
  const data = new Uint8ClampedArray(width * rows.length * 4);
  drawCells(new Uint32Array(data.buffer), { rows, first, columns, pool }, lookup);
  return rows.map((_, row) =>
    Array.from({ length: width }, (_, x) =>
      data.slice((row * width + x) * 4, (row * width + x) * 4 + 4),
    ),
  );
}

const palette = paletteOf('dark');
const highest = Uint8ClampedArray.of(...(palette.at(-1) ?? []), 255);
const lowest = Uint8ClampedArray.of(...(palette[0] ?? []), 255);
const empty = Uint8ClampedArray.of(0, 0, 0, 0);

describe('drawCells', () => {
  it('draws a pixel per cell from the first column on, around the end of the ring', () => {
    const row = Float32Array.of(1, 0, 0, 0.0001);
    // Column 7 is cell 3, column 8 is cell 0.
    expect(draw([row], 7, 4)).toEqual([[lowest, highest, empty, empty]]);
  });

  it('draws rows below each other', () => {
    const rows = [Float32Array.of(0, 1), Float32Array.of(1, 0)];
    expect(draw(rows, 0, 2)).toEqual([
      [empty, highest],
      [highest, empty],
    ]);
  });

  it('draws the maximum of pooled columns, in groups that do not move with the window', () => {
    const row = Float32Array.of(0, 1, 0, 0, 0, 0, 0, 0.0001);
    expect(draw([row], 0, 8, 4)).toEqual([[highest, lowest]]);
    // The window begins within a group: columns 1 to 3, 4 to 7, and 8, which is cell 0.
    expect(draw([row], 1, 8, 4)).toEqual([[highest, lowest, empty]]);
  });

  it.each([2, 3, 5])('draws the maximum of %d columns wherever the ring wraps around', (pool) => {
    const length = 23;
    const row = Float32Array.from({ length }, (_, cell) => ((cell * 7) % length) / length);
    for (let first = 100; first < 100 + length; first += 1) {
      const highestOf = new Map<number, number>();
      for (let column = first; column < first + length; column += 1) {
        const group = Math.floor(column / pool);
        const value = row[column % length] ?? 0;
        highestOf.set(group, Math.max(highestOf.get(group) ?? 0, value));
      }
      const expected = draw([Float32Array.from(highestOf.values())], 0, highestOf.size);
      expect(draw([row], first, length, pool)).toEqual(expected);
    }
  });
});

describe('lookupTable', () => {
  it('shows the smallest use, and values above the limit as the limit', () => {
    const [pixels] = draw([Float32Array.of(1e-9, 5)], 0, 2);
    expect(pixels).toEqual([lowest, highest]);
  });

  it('has the middle colour for the geometric mean', () => {
    const [[pixel] = []] = draw([Float32Array.of(0.01)], 0, 1);
    const middle = palette[127] ?? [0, 0, 0];
    [...(pixel ?? [])].slice(0, 3).forEach((channel, at) => {
      expect(Math.abs(channel - (middle[at] ?? 0))).toBeLessThanOrEqual(8);
    });
  });

  it('shows the same rate alike in seconds and in minutes', () => {
    const writes = domainOf('writes', { read: 3000, write: 1000 });
    const tableOf = (resolution: 'second' | 'minute') =>
      lookupTable('light', { measure: 'writes', resolution, domain: writes });
    const bits = (value: number) => (new Uint32Array(Float32Array.of(value).buffer)[0] ?? 0) >>> 19;
    expect(tableOf('minute')[bits(64 * 60)]).toBe(tableOf('second')[bits(64)]);
  });
});

/** Lightness of Oklab, from 0 to 1 (Björn Ottosson, "A perceptual color space for image processing"). */
function lightness(colour: readonly [number, number, number]): number {
  const [red, green, blue] = colour.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short;
}

describe('paletteOf', () => {
  it.each([
    ['dark', 1],
    ['light', -1],
  ] as const)(
    'changes lightness steadily in the theme %s, so that hues are not needed',
    (theme, sign) => {
      const values = paletteOf(theme).map(lightness);
      const ends = Math.abs((values.at(-1) ?? 0) - (values[0] ?? 0));
      expect(ends).toBeGreaterThan(0.6);
      // In steps of an eighth of the palette: each has between half and double of its share.
      for (let at = 0; at + 32 < values.length; at += 32) {
        const step = sign * ((values[at + 32] ?? 0) - (values[at] ?? 0));
        expect(step).toBeGreaterThan(ends / 16);
        expect(step).toBeLessThan(ends / 4);
      }
    },
  );
});

import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** Bytes of a pixel as a browser writes it: red, green, blue. */
const depth = 3;
const signature = Buffer.from('89504e470d0a1a0a', 'hex');
/** Colors that a byte can name. */
const most = 256;

/**
 * The same picture in a third of the bytes: its colors rounded, and named by a byte each (PNG, third edition, 11.2).
 * @throws Error for a picture that is not of 8-bit red, green and blue
 */
export function palettePng(png: Buffer): Buffer {
  const { width, height, pixels } = decoded(png);
  const { palette, indexes } = named(pixels);
  const lines = Buffer.alloc(height * (width + 1));
  // Each line begins with its filter: none.
  for (let y = 0; y < height; y++) {
    lines.set(indexes.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3], 8);
  const data = deflateSync(lines, { level: 9, memLevel: 9 });
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('PLTE', palette),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** Colors that are used most get names; each other one is called by the nearest of these. */
function named(pixels: Buffer): { palette: Buffer; indexes: Buffer } {
  const counts = new Map<number, number>();
  const count = pixels.length / depth;
  for (let at = 0; at < count; at++) {
    const color = pixels.readUIntBE(at * depth, depth);
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  const palette = chosen(counts);
  const names = new Map(palette.map((color, index) => [color, index]));
  const indexes = Buffer.alloc(count);
  for (let at = 0; at < count; at++) {
    const color = pixels.readUIntBE(at * depth, depth);
    let name = names.get(color);
    if (name === undefined) names.set(color, (name = nearest(color, palette)));
    indexes[at] = name;
  }
  return { palette: Buffer.from(palette.flatMap(channels)), indexes };
}

/** One of each small cube of colors, for as many cubes as there is room for, the most used first. */
function chosen(counts: ReadonlyMap<number, number>): number[] {
  const cubes = new Map<string, { count: number; color: number; most: number }>();
  for (const [color, count] of counts) {
    const cube = channels(color)
      .map((value) => value >> 4)
      .join();
    const known = cubes.get(cube) ?? { count: 0, color, most: 0 };
    const isMost = count > known.most;
    cubes.set(cube, {
      count: known.count + count,
      color: isMost ? color : known.color,
      most: isMost ? count : known.most,
    });
  }
  const byUse = [...cubes.values()].sort((a, b) => b.count - a.count);
  const colors = byUse.slice(0, most / 2).map(({ color }) => color);
  // What is used very much, such as the grounds, is kept exactly, whichever cube it is in.
  for (const [color] of [...counts].sort(([, a], [, b]) => b - a)) {
    if (colors.length >= most) break;
    if (!colors.includes(color)) colors.push(color);
  }
  return colors;
}

function nearest(color: number, palette: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = channels(color);
  let [best, least] = [0, Infinity];
  for (const [index, candidate] of palette.entries()) {
    const [r = 0, g = 0, b = 0] = channels(candidate);
    const distance = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
    if (distance < least) [best, least] = [index, distance];
  }
  return best;
}

function channels(color: number): number[] {
  return [color >> 16, (color >> 8) & 255, color & 255];
}

function decoded(png: Buffer): { width: number; height: number; pixels: Buffer } {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  if (png.readUInt16BE(24) !== 0x0802 || png[28] !== 0)
    throw new Error('not a picture of 8-bit RGB');
  const parts: Buffer[] = [];
  for (let at = signature.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    if (type === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  return {
    width,
    height,
    pixels: unfiltered(inflateSync(Buffer.concat(parts)), width * depth, height),
  };
}

/** The filters of PNG, undone (9.2). */
function unfiltered(lines: Buffer, stride: number, height: number): Buffer {
  const pixels = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = lines[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x;
      const left = x < depth ? 0 : (pixels[at - depth] ?? 0);
      const up = y === 0 ? 0 : (pixels[at - stride] ?? 0);
      const corner = x < depth || y === 0 ? 0 : (pixels[at - stride - depth] ?? 0);
      const guesses = [0, left, up, (left + up) >> 1, paeth(left, up, corner)];
      pixels[at] = (lines[y * (stride + 1) + 1 + x] ?? 0) + (guesses[filter] ?? 0);
    }
  }
  return pixels;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

const { cos, floor, imul, PI } = Math;

/**
 * Chance that can be repeated: every number depends only on the names of its stream and on an index,
 * so that two runs, or two computers, play the same day. Mixing: the finaliser of MurmurHash3.
 */
function mix(value: number): number {
  let mixed = value | 0;
  mixed = imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** A stream of chance of its own for these names. */
export function streamOf(...names: string[]): number {
  let stream = names.length;
  for (const name of names) {
    for (let index = 0; index < name.length; index += 1) {
      stream = mix(stream + 0x9e3779b9) ^ name.charCodeAt(index);
    }
    stream = mix(stream);
  }
  return stream >>> 0;
}

/** The stream's number at a whole index: at least 0, below 1. */
export function randomAt(stream: number, index: number): number {
  return mix(stream ^ mix(index + 0x9e3779b9)) / 2 ** 32;
}

/** A continuous curve from 0 to 1 through the stream's numbers at the whole positions. */
export function smoothAt(stream: number, position: number): number {
  const before = floor(position);
  const weight = (1 - cos(PI * (position - before))) / 2;
  return randomAt(stream, before) * (1 - weight) + randomAt(stream, before + 1) * weight;
}

/** Throws one die after the other; the same throws for the same stream and index. */
export function diceOf(stream: number, index: number): Dice {
  const own = mix(stream ^ mix(index));
  let thrown = 0;
  const between = (low: number, high: number): number => {
    thrown += 1;
    return low + (high - low) * randomAt(own, thrown);
  };
  return { between, chance: (probability) => between(0, 1) < probability };
}

export interface Dice {
  between: (low: number, high: number) => number;
  chance: (probability: number) => boolean;
}

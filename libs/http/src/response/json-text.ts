import type { ResponseWork } from '../work/client-turns.ts';

/** Bytes of a value in JSON, on average: numbers have a name and some digits. */
const bytesPerValue = 20;

/** A part of a body that is serialized already, since its bytes were counted. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** JSON.stringify could only write a parsed value, of which it would round the numbers. */
  toJSON(): unknown {
    throw new Error('a JsonText is serialized by jsonText');
  }
}

/** Depth of a body down to which its lists have steps: metadata may have thousands of lists in each other. */
const maxDepth = 8;

/** Serializes a body in steps of a few elements, as JSON.stringify does. Its values are no functions or symbols. */
export function* jsonText(body: unknown, depth = 0): ResponseWork<string> {
  if (body instanceof JsonText) return body.text;
  if (Array.isArray(body) && depth < maxDepth) {
    const { text } = yield* fittingText(body as unknown[], Infinity, depth + 1);
    return text.text;
  }
  if (depth >= maxDepth || !hasSteps(body)) {
    const text = JSON.stringify(body);
    yield costOf(text);
    return text;
  }
  const texts: string[] = [];
  for (const [name, value] of Object.entries(body)) {
    if (value !== undefined)
      texts.push(`${JSON.stringify(name)}:${yield* jsonText(value, depth + 1)}`);
  }
  return `{${texts.join(',')}}`;
}

/** Elements that are serialized together, and the characters that a step should have. */
const maxElementsPerStep = 64;
const charactersPerStep = 16 * 1024;

/**
 * Serializes the first elements whose bytes are within the limit together, at least one.
 * @returns a list of them, and their number
 */
export function* fittingText(
  elements: readonly unknown[],
  maxBytes: number,
  depth = 0,
): ResponseWork<{ text: JsonText; count: number }> {
  const texts: string[] = [];
  let [count, bytes, size] = [0, 0, 8];
  while (count < elements.length) {
    const some = nextElements(elements, count, size);
    const text = yield* elementsText(some, depth);
    const more = Buffer.byteLength(text) + 1; // and a comma
    if (bytes + more > maxBytes) {
      if (some.length === 1 && count > 0) break;
      if (some.length > 1) {
        size = 1;
        continue;
      }
    }
    texts.push(text);
    bytes += more;
    count += some.length;
    // Near the limit, one by one.
    if (size > 1) size = sizeOf((text.length + 1) / some.length);
  }
  return { text: new JsonText(`[${texts.join(',')}]`), count };
}

/** One list with the elements of several. */
export function joinTexts(lists: readonly JsonText[]): JsonText {
  const texts = lists.map(({ text }) => text.slice(1, -1)).filter((text) => text !== '');
  return new JsonText(`[${texts.join(',')}]`);
}

/** Elements that are serialized together: one that has steps of its own is alone. */
function nextElements(elements: readonly unknown[], from: number, size: number): unknown[] {
  const part = elements.slice(from, from + size);
  const plain = part.findIndex(hasSteps);
  return plain === -1 ? part : part.slice(0, Math.max(1, plain));
}

function* elementsText(elements: readonly unknown[], depth: number): ResponseWork<string> {
  const [first] = elements;
  if (hasSteps(first)) return yield* jsonText(first, depth);
  const text = JSON.stringify(elements).slice(1, -1);
  yield costOf(text);
  return text;
}

function sizeOf(charactersPerElement: number): number {
  const fitting = Math.floor(charactersPerStep / charactersPerElement);
  return Math.max(2, Math.min(maxElementsPerStep, fitting));
}

/** Whether a part of it is serialized in steps of its own, or already. */
function hasSteps(body: unknown): body is object {
  if (typeof body !== 'object' || body === null) return false;
  if (body instanceof JsonText) return true;
  if ('toJSON' in body) return false;
  return Object.values(body).some((value) => Array.isArray(value) || value instanceof JsonText);
}

/** The cost of serializing a text, in values. */
export function costOf(text: string): number {
  return Math.ceil(text.length / bytesPerValue);
}

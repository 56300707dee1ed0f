import type { ResponseWork } from '../work/client-turns.ts';

/** Bytes of a value in JSON, on average: numbers have a name and some digits. */
const bytesPerValue = 20;

/** A part of a body that is serialized already, since its bytes were counted. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** Serializes a body in steps of about an element, as JSON.stringify does. Its values are no functions or symbols. */
export function* jsonText(body: unknown): ResponseWork<string> {
  if (body instanceof JsonText) return body.text;
  if (Array.isArray(body)) {
    const texts: string[] = [];
    for (const element of body as unknown[]) texts.push(yield* jsonText(element ?? null));
    return `[${texts.join(',')}]`;
  }
  if (!hasLists(body)) {
    const text = JSON.stringify(body);
    yield costOf(text);
    return text;
  }
  const texts: string[] = [];
  for (const [name, value] of Object.entries(body)) {
    if (value !== undefined) texts.push(`${JSON.stringify(name)}:${yield* jsonText(value)}`);
  }
  return `{${texts.join(',')}}`;
}

/**
 * Serializes the first elements whose bytes are within the limit together, at least one.
 * @returns a text per element
 */
export function* fittingTexts(
  elements: Iterable<unknown>,
  maxBytes: number,
): ResponseWork<JsonText[]> {
  const texts: JsonText[] = [];
  let bytes = 0;
  for (const element of elements) {
    const text = yield* jsonText(element);
    bytes += Buffer.byteLength(text) + 1; // and a comma
    if (bytes > maxBytes && texts.length > 0) break;
    texts.push(new JsonText(text));
  }
  return texts;
}

/** Whether a part of it is serialized in steps of its own. */
function hasLists(body: unknown): body is object {
  if (typeof body !== 'object' || body === null || 'toJSON' in body) return false;
  return Object.values(body).some((value) => Array.isArray(value) || value instanceof JsonText);
}

/** The cost of serializing a text, in values. */
export function costOf(text: string): number {
  return Math.ceil(text.length / bytesPerValue);
}

/** A line that is not blank: its value, or the error. */
export interface JsonLine {
  /** Line number from 1, with blank lines counted. */
  line: number;
  value?: unknown;
  /** Why the line is invalid, as the end of a sentence: "is not JSON: …". */
  error?: string;
}

export interface JsonLinesOptions {
  /** A longer line is not kept and is an error; the following lines are read normally. */
  maxLineBytes: number;
  /** Replaces JSON.parse. */
  parse?: ((text: string) => unknown) | undefined;
}

const newline = 0x0a;

/** Parses a stream of NDJSON, with at most one line in memory. Blank lines are skipped (ndjson-spec, section 3.1). */
export async function* jsonLines(
  chunks: AsyncIterable<Buffer>,
  { maxLineBytes, parse = JSON.parse }: JsonLinesOptions,
): AsyncGenerator<JsonLine> {
  const lineBytes = new LineBytes(maxLineBytes);
  let line = 1;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      lineBytes.add(chunk.subarray(start, end));
      yield* read(line, lineBytes.take(), parse);
      line += 1;
      start = end + 1;
    }
    lineBytes.add(chunk.subarray(start));
  }
  yield* read(line, lineBytes.take(), parse);
}

/** Bytes of the current line, up to the maximum. */
class LineBytes {
  readonly #maximum: number;
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(maximum: number) {
    this.#maximum = maximum;
  }

  add(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes <= this.#maximum) this.#parts.push(part);
    else this.#parts = [];
  }

  /** @returns the line, or the error where it is too long */
  take(): Buffer | string {
    const line =
      this.#bytes > this.#maximum
        ? `has more than ${this.#maximum} bytes`
        : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#bytes = 0;
    return line;
  }
}

function* read(
  line: number,
  bytes: Buffer | string,
  parse: (text: string) => unknown,
): Generator<JsonLine> {
  if (typeof bytes === 'string') {
    yield { line, error: bytes };
    return;
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    yield { line, error: 'is not valid UTF-8' };
    return;
  }
  if (/^[ \t\r]*$/.test(text)) return;
  yield { line, ...parsed(text, parse) };
}

function parsed(text: string, parse: (text: string) => unknown): Pick<JsonLine, 'value' | 'error'> {
  try {
    return { value: parse(text) };
  } catch (error) {
    // The parser quotes its input and may split a surrogate pair.
    return { error: `is not JSON: ${(error as Error).message.toWellFormed()}` };
  }
}

/** One line that has something in it: its value, or what is wrong with it. */
export interface JsonLine {
  /** Counted from 1, blank lines too, as editors do. */
  line: number;
  value?: unknown;
  /** Why it has no value, as the second half of a sentence: "is not JSON: …". */
  error?: string;
}

export interface JsonLinesOptions {
  /** Of a longer line nothing is kept; it has a fault, and those behind it are read as usual. */
  maxLineBytes: number;
  /** In place of JSON.parse. */
  parse?: ((text: string) => unknown) | undefined;
}

const newline = 0x0a;

/** NDJSON as it comes, never more than one line of it held. Blank lines are passed over (ndjson-spec, section 3.1). */
export async function* jsonLines(
  chunks: AsyncIterable<Buffer>,
  { maxLineBytes, parse = JSON.parse }: JsonLinesOptions,
): AsyncGenerator<JsonLine> {
  const gathered = new LineBytes(maxLineBytes);
  let line = 1;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      gathered.add(chunk.subarray(start, end));
      yield* read(line, gathered.take(), parse);
      line += 1;
      start = end + 1;
    }
    gathered.add(chunk.subarray(start));
  }
  yield* read(line, gathered.take(), parse);
}

/** The bytes of the line under way, as far as they are worth keeping. */
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

  /** @returns the line, or, of one that is too long, its fault */
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
    yield { line, error: 'is not text in UTF-8' };
    return;
  }
  if (/^[ \t\r]*$/.test(text)) return;
  yield { line, ...parsed(text, parse) };
}

function parsed(text: string, parse: (text: string) => unknown): Pick<JsonLine, 'value' | 'error'> {
  try {
    return { value: parse(text) };
  } catch (error) {
    // The parser quotes what it cannot read, and may cut a surrogate pair in two.
    return { error: `is not JSON: ${(error as Error).message.toWellFormed()}` };
  }
}

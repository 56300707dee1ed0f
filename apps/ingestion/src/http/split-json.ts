/** The text of one reading in a body. */
export interface ReadingText {
  /** Index in the array, or line, counted from 0. */
  index: number;
  /** Undefined if the text is longer than a reading can be; then it was dropped. */
  bytes: Buffer | undefined;
}

/** Splits a body that arrives in chunks into the texts of its readings. Holds at most one of them. */
export interface Splitter {
  /** @throws SyntaxError when the body is invalid for any continuation */
  push(chunk: Buffer): Generator<ReadingText>;
  /** @throws SyntaxError when the body is incomplete */
  end(): Generator<ReadingText>;
}

/** Maximum bytes of a reading's text: enough for an item with every character escaped. */
const maxPieceBytes = 1024 * 1024;

/** Collects the text of one reading, up to the maximum. */
class Gatherer {
  #parts: Buffer[] = [];
  #bytes = 0;

  add(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes <= maxPieceBytes) this.#parts.push(part);
    else this.#parts = [];
  }

  /**
   * Returns the text collected since the last call; undefined if it was too long. `isBlank` if it is only white space.
   */
  take(): { bytes: Buffer | undefined; isBlank: boolean } {
    const bytes = this.#bytes > maxPieceBytes ? undefined : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#bytes = 0;
    return { bytes, isBlank: bytes?.every(isSpace) === true };
  }
}

/** NDJSON: a reading per line. Blank lines are counted and skipped (github.com/ndjson/ndjson-spec, 3.1). */
export class LineSplitter implements Splitter {
  readonly #line = new Gatherer();
  #index = 0;

  *push(chunk: Buffer): Generator<ReadingText> {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.#line.add(chunk.subarray(start, end));
      yield* this.end();
      start = end + 1;
    }
    this.#line.add(chunk.subarray(start));
  }

  *end(): Generator<ReadingText> {
    const { bytes, isBlank } = this.#line.take();
    if (!isBlank) yield { index: this.#index, bytes };
    this.#index += 1;
  }
}

/**
 * JSON: an array of readings, or a single reading. Parses only strings and brackets of JSON's grammar; a text is
 * validated when it is parsed. Reasons against a streaming parser: docs/adr/0075.
 */
export class ArraySplitter implements Splitter {
  readonly #element = new Gatherer();
  #state: 'before' | 'array' | 'single' | 'after' = 'before';
  #index = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;

  *push(chunk: Buffer): Generator<ReadingText> {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (this.#state === 'single') break;
      if (this.#state === 'array') {
        if (!this.#ends(byte)) continue;
        this.#element.add(chunk.subarray(start, at));
        yield* this.#take(byte === bracketClosed);
        if (byte === bracketClosed) this.#state = 'after';
        start = at + 1;
      } else if (this.#state === 'after') {
        if (!isSpace(byte)) throw new SyntaxError('there is more behind the array');
      } else if (byte === bracketOpen) {
        this.#state = 'array';
        start = at + 1;
      } else if (!isSpace(byte) && !byteOrderMark.includes(byte)) {
        this.#state = 'single';
        start = at;
      }
    }
    if (this.#state === 'array' || this.#state === 'single') {
      this.#element.add(chunk.subarray(start));
    }
  }

  *end(): Generator<ReadingText> {
    if (this.#state === 'before') throw new SyntaxError('there is nothing in it');
    if (this.#state === 'array') throw new SyntaxError('the array does not end');
    if (this.#state === 'single') yield { index: 0, bytes: this.#element.take().bytes };
  }

  /** Whether this byte ends an element of the array. */
  #ends(byte: number): boolean {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (byte === backslash) this.#escaped = true;
      else if (byte === quote) this.#inString = false;
    } else if (byte === quote) {
      this.#inString = true;
    } else if (byte === bracketOpen || byte === braceOpen) {
      this.#depth += 1;
    } else if (byte === bracketClosed || byte === braceClosed) {
      if (this.#depth === 0 && byte === braceClosed) {
        throw new SyntaxError('a brace is closed that was not opened');
      }
      if (this.#depth === 0) return true;
      this.#depth -= 1;
    } else {
      return byte === comma && this.#depth === 0;
    }
    return false;
  }

  *#take(isLast: boolean): Generator<ReadingText> {
    const { bytes, isBlank } = this.#element.take();
    if (isBlank && isLast && this.#index === 0) return; // an empty array
    if (isBlank) throw new SyntaxError('an element of the array is missing');
    yield { index: this.#index, bytes };
    this.#index += 1;
  }
}

const newline = 0x0a;
const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const bracketOpen = 0x5b;
const bracketClosed = 0x5d;
const braceOpen = 0x7b;
const braceClosed = 0x7d;
/** The byte order mark of UTF-8, which may be ignored (RFC 8259, 8.1). */
const byteOrderMark: readonly number[] = [0xef, 0xbb, 0xbf];

/** White space of JSON. */
function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

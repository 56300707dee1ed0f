/** Deeper nesting is an attack. */
const maxDepth = 100;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * CBOR in diagnostic notation (RFC 8949, section 8), indented: every item is shown, also those that a reading cannot
 * hold, such as byte strings and unknown tags.
 * @throws Error with the offset where the payload is not CBOR
 */
export function cborNotation(bytes: Uint8Array): string {
  const reader = new CborReader(bytes);
  const text = reader.item(0);
  if (!reader.isAtEnd) throw new Error(`bytes follow the item, from offset ${reader.offset}`);
  return text;
}

class CborReader {
  offset = 0;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isAtEnd(): boolean {
    return this.offset === this.#bytes.length;
  }

  item(depth: number): string {
    if (depth > maxDepth) throw new Error(`nested deeper than ${maxDepth} levels`);
    const at = this.offset;
    const [first = 0] = this.#take(1);
    const major = first >> 5;
    const info = first & 0x1f;
    if (major === 7) return this.#simple(info, at);
    if (info === 31) return this.#indefinite(major, depth, at);
    const argument = this.#argument(info, at);
    switch (major) {
      case 0:
        return argument.toString();
      case 1:
        return (-1n - argument).toString();
      case 2:
        return byteText(this.#take(argument));
      case 3:
        return JSON.stringify(utf8.decode(this.#take(argument)));
      case 6:
        return `${argument}(${this.item(depth + 1)})`;
      default:
        return this.#list(major === 5, depth, argument);
    }
  }

  /** The argument of the head (RFC 8949, section 3). */
  #argument(info: number, at: number): bigint {
    if (info < 24) return BigInt(info);
    if (info > 27) throw new Error(`no CBOR at offset ${at}: additional information ${info}`);
    return this.#take(2 ** (info - 24)).reduce<bigint>(
      (sum, byte) => (sum << 8n) | BigInt(byte),
      0n,
    );
  }

  #simple(info: number, at: number): string {
    const names: Partial<Record<number, string>> = {
      ...{ 20: 'false', 21: 'true', 22: 'null', 23: 'undefined' },
    };
    const start = this.offset;
    if (info === 25) this.#take(2);
    if (info === 25) return floatText(halfFloat(this.#view.getUint16(start)));
    if (info === 26) this.#take(4);
    if (info === 26) return floatText(this.#view.getFloat32(start));
    if (info === 27) this.#take(8);
    if (info === 27) return floatText(this.#view.getFloat64(start));
    if (info === 31) throw new Error(`no CBOR at offset ${at}: an unexpected break`);
    return names[info] ?? `simple(${this.#argument(info, at)})`;
  }

  #indefinite(major: number, depth: number, at: number): string {
    if (major === 2 || major === 3) {
      return `(_ ${this.#untilBreak(() => this.item(depth + 1)).join(', ')})`;
    }
    if (major !== 4 && major !== 5) throw new Error(`no CBOR at offset ${at}`);
    const entries = this.#untilBreak(() => this.#entry(major === 5, depth));
    return brackets(major === 5, entries, depth, '_ ');
  }

  #untilBreak(read: () => string): string[] {
    const parts: string[] = [];
    while (this.#bytes[this.offset] !== 0xff) parts.push(read());
    this.offset += 1;
    return parts;
  }

  #list(isMap: boolean, depth: number, count: bigint): string {
    const entries: string[] = [];
    for (let index = 0n; index < count; index += 1n) entries.push(this.#entry(isMap, depth));
    return brackets(isMap, entries, depth, '');
  }

  #entry(isMap: boolean, depth: number): string {
    const first = this.item(depth + 1);
    return isMap ? `${first}: ${this.item(depth + 1)}` : first;
  }

  #take(count: number | bigint): Uint8Array {
    const end = this.offset + Number(count);
    if (end > this.#bytes.length) throw new Error('the payload ends inside an item');
    const taken = this.#bytes.subarray(this.offset, end);
    this.offset = end;
    return taken;
  }
}

function brackets(isMap: boolean, entries: readonly string[], depth: number, mark: string): string {
  const [open, close] = isMap ? ['{', '}'] : ['[', ']'];
  if (entries.length === 0) return `${open}${mark}${close}`;
  const indent = '  '.repeat(depth + 1);
  const lines = entries.map((entry) => `\n${indent}${entry}`).join(',');
  return `${open}${mark.trimEnd()}${lines}\n${'  '.repeat(depth)}${close}`;
}

function byteText(bytes: Uint8Array): string {
  return `h'${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}'`;
}

/** A float has a point or an exponent, as the notation has it. */
function floatText(value: number): string {
  const text = Object.is(value, -0) ? '-0' : String(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

/** IEEE 754 binary16 (RFC 8949, appendix D). */
function halfFloat(bits: number): number {
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  const sign = bits & 0x8000 ? -1 : 1;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (fraction + 1024) * 2 ** (exponent - 25);
}

type Random = () => number;

export function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)] as Item;
}

const hostile = [
  ...['null', 'true', '0', '-0', '-1', '1e400', '-1e-400', '1e125', 'NaN', '0x10'],
  ...['9007199254740993', '12345678901234567890.123', '123456789012345678901234567890123456789'],
  ...[
    '""',
    '"__proto__"',
    '"constructor"',
    '"prototype"',
    '"\\ud800"',
    '"\\u0000"',
    '"x.y"',
    '"ts"',
  ],
  ...['"2026-11-19T23:30:00Z"', '"2026-02-30T00:00:00"', '"9999-99-99T99:99:99"', '"1e400"'],
  ...[
    '{}',
    '[]',
    '[[]]',
    '[null]',
    '{"__proto__":{"polluted":1}}',
    '{"constructor":{"prototype":{"polluted":1}}}',
  ],
  ...[
    '{"":1}',
    '{"a.b":1,"a":{"b":2}}',
    '{"toString":1,"hasOwnProperty":2}',
    '{"tC":1,"total":{"x":1}}',
  ],
];
const value = /(?<=[:[,]\s*)(?:"(?:[^"\\]|\\.)*"(?!\s*:)|-?\d+(?:\.\d+)?|true|false|null)/g;
const token = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false|null|[{}[\]:,]/g;

const ofText: ((text: string, random: Random) => string)[] = [
  // Another value, name or bracket.
  (text, random) => {
    const tokens = [...text.matchAll(random() < 0.9 ? value : token)];
    if (tokens.length === 0) return text;
    const { 0: old, index } = pick(random, tokens);
    return text.slice(0, index) + pick(random, hostile) + text.slice(index + old.length);
  },
  // A dangerous name.
  (text, random) => {
    const names = [...text.matchAll(/"(?:[^"\\]|\\.)*"(?=\s*:)/g)];
    if (names.length === 0) return text;
    const { 0: old, index } = pick(random, names);
    const name = pick(random, [
      '"__proto__"',
      '"constructor"',
      '""',
      '"\\udfff"',
      `"${'n'.repeat(300)}"`,
    ]);
    return text.slice(0, index) + name + text.slice(index + old.length);
  },
  // Endless nesting.
  (text, random) => {
    const depth = random() < 0.002 ? 100_000 : pick(random, [2, 31, 33, 500]);
    const [open, close] = pick(random, [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const);
    const at = text.indexOf(':') + 1;
    return `${text.slice(0, at)}${open.repeat(depth)}1${close.repeat(depth)}${text.slice(at).replace(/^[^,}]*/, '')}`;
  },
  (text, random) => {
    const times = pick(random, text.length < 10_000 ? [1, 2, 20] : [1]);
    return `[${Array.from({ length: times }, () => text).join(',')}]`;
  },
];

const ofBytes: ((bytes: Buffer, random: Random) => Buffer)[] = [
  (bytes, random) => {
    const changed = Buffer.from(bytes);
    for (let flips = 1 + Math.floor(random() * 4); flips > 0 && changed.length > 0; flips -= 1) {
      const at = Math.floor(random() * changed.length);
      changed[at] = (changed[at] ?? 0) ^ (1 << Math.floor(random() * 8));
    }
    return changed;
  },
  (bytes, random) => bytes.subarray(0, Math.floor(random() * bytes.length)),
  (bytes, random) => bytes.subarray(Math.floor(random() * bytes.length)),
  (bytes, random) => {
    const [from, to] = [random(), random()].map((part) => Math.floor(part * bytes.length)).sort();
    return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)]);
  },
  (bytes, random) => {
    const at = Math.floor(random() * bytes.length);
    const noise = Buffer.from(Array.from({ length: 1 + random() * 8 }, () => random() * 256));
    return Buffer.concat([bytes.subarray(0, at), noise, bytes.subarray(at)]);
  },
  (bytes, random) => Buffer.alloc(Math.floor(random() * 2000), bytes[0]),
];

/** The payload with one to three changes. */
export function mutate(payload: Buffer, random: Random): Buffer {
  let changed = payload;
  for (let times = pick(random, [1, 1, 1, 2, 3]); times > 0; times -= 1) {
    const isText = changed[0] === 0x7b || changed[0] === 0x5b;
    changed =
      isText && random() < 0.85
        ? Buffer.from(pick(random, ofText)(changed.toString(), random))
        : pick(random, ofBytes)(changed, random);
  }
  return changed;
}

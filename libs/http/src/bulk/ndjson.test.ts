import { Readable } from 'node:stream';
import fc from 'fast-check';
import { jsonLines } from './ndjson.ts';
import type { JsonLine } from './ndjson.ts';

/** The parsed lines of a body in chunks of this many bytes. */
async function read(body: Buffer | string, size = 7, maxLineBytes = 1000): Promise<JsonLine[]> {
  const bytes = Buffer.from(body);
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
  const lines: JsonLine[] = [];
  for await (const line of jsonLines(Readable.from(chunks), { maxLineBytes })) lines.push(line);
  return lines;
}

describe('NDJSON', () => {
  it('is parsed line by line for any chunks, blank lines counted', async () => {
    const values = fc.array(fc.option(fc.json({ maxDepth: 2 })));
    await fc.assert(
      fc.asyncProperty(values, fc.integer({ min: 1, max: 20 }), async (texts, size) => {
        const lines = texts.map((text) => text ?? ' \r');
        const wanted = texts.flatMap((text, index) =>
          text === null ? [] : [{ line: index + 1, value: JSON.parse(text) as unknown }],
        );
        expect(await read(lines.join('\n'), size, 1_000_000)).toEqual(wanted);
      }),
    );
  });

  it('reports the error of each invalid line, and continues with the next one', async () => {
    const bad = Buffer.concat([
      Buffer.from('1\n'),
      Buffer.from([0x22, 0xff, 0x22]),
      Buffer.from('\n'),
    ]);
    const body = Buffer.concat([bad, Buffer.from(`{"a":\n"${'x'.repeat(2000)}"\n2`)]);
    expect(await read(body)).toEqual([
      { line: 1, value: 1 },
      { line: 2, error: 'is not valid UTF-8' },
      { line: 3, error: expect.stringMatching(/^is not JSON: /) as string },
      { line: 4, error: 'has more than 1000 bytes' },
      { line: 5, value: 2 },
    ]);
  });

  it('accepts lines of the maximum size, and rejects longer ones', async () => {
    expect(await read(`${'1'.repeat(9)}\n${'1'.repeat(10)}`, 3, 9)).toEqual([
      { line: 1, value: 111_111_111 },
      { line: 2, error: 'has more than 9 bytes' },
    ]);
  });

  it('has no lines when it is empty or blank', async () => {
    expect(await read('')).toEqual([]);
    expect(await read('\n \r\n\t\n')).toEqual([]);
  });
});

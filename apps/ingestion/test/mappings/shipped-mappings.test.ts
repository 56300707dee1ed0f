import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseTime } from '@engawa/model';
import { topicFilter, matches } from '../../src/decoders/topic-filter.ts';
import { mappingDecoder } from '../../src/mappings/mapping-decoder.ts';
import { parseMapping } from '../../src/mappings/parse-mapping.ts';
import type { Decoded } from '../../src/decoders/decoder.ts';

const folder = join(import.meta.dirname, '../../mappings');

const shipped = readdirSync(folder).map((file) => {
  const parsed = parseMapping(JSON.parse(readFileSync(join(folder, file), 'utf8')));
  if ('problems' in parsed) throw new Error(`${file}: ${JSON.stringify(parsed.problems)}`);
  return { file, mapping: parsed.mapping };
});

const examples = shipped.flatMap(({ file, mapping }) =>
  (mapping.examples ?? []).map((example) => ({ file, mapping, ...example })),
);

const options = { deviceIds: 'distinct', timeZone: 'UTC', tasmotaMainSensors: [] } as const;

function shown({ device, drafts, others = [] }: Decoded): object[] {
  const own = drafts.map(({ time, fields }) => {
    const milliseconds = time instanceof Date ? time.getTime() : parseTime(time as string);
    return {
      device,
      ...(time !== undefined && { time: new Date(milliseconds ?? NaN).toISOString() }),
      fields: JSON.parse(JSON.stringify(fields)) as object,
    };
  });
  return [...own, ...others.flatMap(shown)];
}

it.each(examples)('$file: $topic $payload', async ({ mapping, topic, payload, readings }) => {
  const decoder = mappingDecoder(mapping);
  const filters = decoder.defaultFilters.map((text) => topicFilter(text, true));
  const levels = topic.split('/');
  const filter = filters.find((candidate) => matches(candidate, levels));
  if (filter === undefined) {
    expect(readings).toEqual([]);
    return;
  }
  const source = { filter, levels, payload: Buffer.from(payload), receivedAt: 0 };
  expect(shown(await decoder.create(options)(source))).toEqual(readings);
});

it.each(shipped)('$file has its name, a source and examples', ({ file, mapping }) => {
  expect(file).toBe(`${mapping.mapping}.json`);
  expect(mapping.source?.length).toBeGreaterThan(0);
  expect(mapping.examples?.length).toBeGreaterThan(0);
});

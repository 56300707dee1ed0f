import { isDeepStrictEqual } from 'node:util';
import { tryMapping } from './try-mapping.ts';
import type { MappingDocument } from './mapping-document.ts';
import type { MappedMessage } from './try-mapping.ts';

/** A reading as the query service shows it. */
export interface ShownReading {
  device: string;
  time: string;
  /** Numbers are written into JSON with all their digits. */
  fields: object;
}

export function shownReading(reading: MappedMessage['readings'][number]): ShownReading {
  const { device, time, fields } = reading;
  return { device, time: new Date(time).toISOString(), fields };
}

/** Reads the examples of a mapping. @returns what is wrong with them */
export async function checkExamples(mapping: MappingDocument): Promise<string[]> {
  const problems: string[] = [];
  for (const { topic, payload, readings } of mapping.examples) {
    const message = { topic, payload: Buffer.from(payload), receivedAt: 0 };
    const { readings: read, refusals } = await tryMapping(mapping, message);
    const shown = read.map(shownReading).map(({ time, device, fields }, index) => {
      const reading = { device, fields: JSON.parse(JSON.stringify(fields)) as object };
      // The time of receipt is not that of the example.
      return readings[index]?.time === undefined ? reading : { ...reading, time };
    });
    // A message that no entry takes has no readings, as it is meant in an example without them.
    const refused = refusals.filter(({ reason }) => reason !== 'no_decoder');
    const reasons = refused.map(({ detail }) => `; refused: ${detail}`).join('');
    if (refused.length === 0 && isDeepStrictEqual(shown, readings)) continue;
    problems.push(
      `the example of ${topic} becomes ${JSON.stringify(shown)}, not ${JSON.stringify(readings)}${reasons}`,
    );
  }
  return problems;
}

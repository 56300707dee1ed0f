import type { SentReading } from '../publisher.ts';

/** Readings that ingestion has acknowledged are lost; the others wait. @param acknowledged `topic payload` */
export function describeMissing(
  missing: readonly SentReading[],
  acknowledged: readonly string[],
): string {
  const known = new Set(acknowledged);
  const line = ({ topic, payload }: SentReading) => {
    const state = known.has(`${topic} ${payload}`) ? 'acknowledged' : 'not acknowledged';
    return `missing, ${state} by ingestion: ${topic} ${payload}\n`;
  };
  return missing.map(line).join('');
}

import type { DocumentValue } from '../values/item-size.ts';

/** A detail for programs: a stable code of the ingestion service with the parameters of its text. */
export interface DetailCode {
  code: string;
  values: Record<string, string | number>;
}

/** Undefined in another form: the detail is enough. */
export function parseDetailCode(value: DocumentValue | undefined): DetailCode | undefined {
  const { code, values } = Object(value) as Record<string, unknown>;
  if (typeof code !== 'string' || typeof values !== 'object' || values === null) return undefined;
  const known = Object.entries(values).filter(
    (entry): entry is [string, string | number] =>
      typeof entry[1] === 'string' || typeof entry[1] === 'number',
  );
  return { code, values: Object.fromEntries(known) };
}

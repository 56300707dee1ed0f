import type { z } from 'zod';
import { propertiesOf } from './expectation.ts';

/** One row of docs/reference/configuration.md. */
export interface SettingRow {
  name: string;
  /** The default, as written in the environment; undefined where there is none. */
  default: string | undefined;
  description: string;
  secret: boolean;
  required: boolean;
}

/** Lists the settings that `schema` declares, in the order of declaration. */
export function documentSettings(schema: z.ZodObject): SettingRow[] {
  const properties = propertiesOf(schema);
  return Object.entries(schema.shape).map(([name, setting]) => {
    const { description = '', secret = false, default: declared } = properties[name] ?? {};
    const unset = (setting as z.ZodType).safeParse(undefined);
    // The declared default, or the output of undefined where the schema has a default after a transform only.
    const fallback = declared ?? (unset.success ? unset.data : undefined);
    return {
      name,
      default: fallback === undefined ? undefined : written(fallback),
      description,
      secret,
      required: !unset.success,
    };
  });
}

function written(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

import { z } from 'zod';
import { isTimeZone } from './local-time.ts';

/** A time zone of the IANA database in a query string; UTC by default. */
export const timeZoneParameter = z
  .string()
  .max(64)
  .refine(isTimeZone, 'must be a time zone by its IANA name, such as Asia/Tokyo')
  .default('UTC');

import { z } from 'zod';
import { isTimeZone } from './local-time.ts';

/** A name of the IANA time zone database in a query string; UTC without it. */
export const timeZoneParameter = z
  .string()
  .max(64)
  .refine(isTimeZone, 'must be a time zone by its IANA name, such as Asia/Tokyo')
  .default('UTC');

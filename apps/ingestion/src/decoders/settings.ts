import { z } from 'zod';
import { chooseDecoders, decoderKinds } from './index.ts';

const allDecoders = decoderKinds.map(({ name }) => name).join(',');

/** What is read of the messages, and how. */
export const decoderSettings = {
  DECODERS: z
    .string()
    .prefault(allDecoders)
    .transform((text, context) => {
      try {
        return chooseDecoders(text);
      } catch (error) {
        context.addIssue((error as Error).message);
        return z.NEVER;
      }
    })
    .describe(
      'Kinds of payload that are read, comma-separated, each as name or name=topic/filter/# in place of its usual topics (repeat it for more than one). The first that matches a topic takes it.',
    ),
  TASMOTA_TIME_ZONE: z
    .string()
    .default('UTC')
    .refine(isTimeZone, 'expected an IANA time zone, such as Asia/Tokyo')
    .describe('Time zone that the clocks of Tasmota devices show, which their times do not say.'),
  TASMOTA_MAIN_SENSORS: z
    .string()
    .prefault('AM2301,DHT11')
    .transform((text) => text.split(',').map((name) => name.trim()))
    .describe(
      'Sections of Tasmota telemetry, comma-separated, whose temperature, humidity and pressure are those of the device; the values of other sensors are called BME280.temperature. No device may have two of them.',
    ),
  SPARKPLUG_REBIRTH: z
    .enum(['on', 'off'])
    .default('on')
    .describe(
      'Whether a Sparkplug node is asked for its birth (NCMD, at most once a minute) when what it sends cannot be understood without.',
    ),
};

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

import { z } from 'zod';
import { chooseDecoders, decoderKinds } from './index.ts';

const allDecoders = decoderKinds.map(({ name }) => name).join(',');

/** Settings of the decoders. */
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
      'Kinds of payload that are decoded, comma-separated, each as name, or as name=topic/filter/# to replace its default topics (repeat it for several filters). The first decoder whose filter matches the topic decodes the message, on a default topic the first whose brand the payload proves.',
    ),
  MAPPINGS_DIR: z
    .string()
    .optional()
    .describe(
      'Folder of mappings of your own (docs/decoders.md): files *.yaml, *.yml and *.json, read at start. They come before the decoders of DECODERS, in the order of the names of the files.',
    ),
  DEVICE_IDS: z
    .enum(['distinct', 'short'])
    .default('distinct')
    .describe(
      'Device ids on topics configured in DECODERS: `distinct` has every level that a wildcard matches, and the levels in which the filters of a decoder differ, so that devices of several sites stay apart; `short` has the ids of versions up to 0.2.0, which may merge them. Ids on default topics are the same.',
    ),
  TASMOTA_TIME_ZONE: z
    .string()
    .default('UTC')
    .refine(isTimeZone, 'expected an IANA time zone, such as Asia/Tokyo')
    .describe('Time zone of the clocks of Tasmota devices; their times have no offset.'),
  TASMOTA_MAIN_SENSORS: z
    .string()
    .prefault('AM2301,DHT11')
    .transform((text) => text.split(',').map((name) => name.trim()))
    .describe(
      'Sections of Tasmota telemetry, comma-separated, whose temperature, humidity and pressure become fields of the device without a prefix; values of other sensors are named by section, such as BME280.temperature. A device must report at most one of these sections.',
    ),
  SPARKPLUG_REBIRTH: z
    .enum(['on', 'off'])
    .default('on')
    .describe(
      'Whether the birth of a Sparkplug node is requested (NCMD, at most once a minute) when its messages cannot be decoded without it.',
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

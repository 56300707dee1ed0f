import { parseArgs } from 'node:util';
import { OperatorError } from '@engawa/errors';
import type { Home } from './homes.ts';
import { homes as allHomes } from './homes.ts';

export const help = `Simulates three homes over MQTT: publishes the history of past days, then live readings.

  node tools/simulator/src/main.ts [options]

  --mqtt URL           the broker (MQTT_URL; default mqtt://127.0.0.1:1883)
  --version 3.1.1|5    MQTT version (MQTT_VERSION; default 3.1.1, which every broker supports;
                       with 5 each message starts a trace)
  --registry URL       registers homes and devices there (REGISTRY_URL; default: none)
  --homes LIST         homes, separated by commas: tanaka, smith, sato (default all)
  --days N             days of history, 0 to 365 (default 7)
  --no-live            end after the history
  --seed TEXT          seed of the weather and the residents' behavior (default engawa)

  --rate N             generate load instead: N readings a second, one per message
  --devices N          number of devices of the load: load-0001 and so on (default 100)

  --help               this text
`;

export interface Options {
  url: string;
  version: '3.1.1' | '5';
  registryUrl: string | undefined;
  homes: readonly Home[];
  days: number;
  live: boolean;
  seed: string;
  rate: number | undefined;
  devices: number;
}

function wholeNumber(flag: string, text: string, { min, max }: { min: number; max: number }) {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new OperatorError(`${flag} must be a whole number from ${min} to ${max}, not '${text}'`);
}

function chooseHomes(list: string | undefined): readonly Home[] {
  if (list === undefined) return allHomes;
  return list.split(',').map((id) => {
    const home = allHomes.find((candidate) => candidate.id === id.trim());
    if (home) return home;
    throw new OperatorError(`--homes: there is no home '${id}'; there are tanaka, smith and sato`);
  });
}

function chooseVersion(version: string): '3.1.1' | '5' {
  if (version === '3.1.1' || version === '5') return version;
  throw new OperatorError(`--version (MQTT_VERSION) must be 3.1.1 or 5, not '${version}'`);
}

function chooseRegistry(url: string | undefined): string | undefined {
  if (url === undefined || /^https?:$/.test(URL.parse(url)?.protocol ?? '')) return url;
  throw new OperatorError(`--registry (REGISTRY_URL) must be an http address, not '${url}'`);
}

function parse(args: string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args,
      allowNegative: true,
      options: {
        mqtt: text,
        version: text,
        registry: text,
        homes: text,
        days: { type: 'string', default: '7' },
        live: { type: 'boolean', default: true },
        seed: { type: 'string', default: 'engawa' },
        rate: text,
        devices: { type: 'string', default: '100' },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`${reason.split('. ')[0] ?? reason} (--help lists the options)`);
  }
}

/**
 * What the command line and the environment ask for; the command line wins, and an empty variable
 * counts as not set. Throws an OperatorError for what makes no sense.
 */
export function parseOptions(args: string[], environment: NodeJS.ProcessEnv): Options | 'help' {
  const values = parse(args);
  if (values.help) return 'help';
  const given = (variable: string): string | undefined =>
    environment[variable] === '' ? undefined : environment[variable];
  return {
    url: values.mqtt ?? given('MQTT_URL') ?? 'mqtt://127.0.0.1:1883',
    version: chooseVersion(values.version ?? given('MQTT_VERSION') ?? '3.1.1'),
    registryUrl: chooseRegistry(values.registry ?? given('REGISTRY_URL')),
    homes: chooseHomes(values.homes),
    days: wholeNumber('--days', values.days, { min: 0, max: 365 }),
    live: values.live,
    seed: values.seed,
    rate:
      values.rate === undefined
        ? undefined
        : wholeNumber('--rate', values.rate, { min: 1, max: 100_000 }),
    devices: wholeNumber('--devices', values.devices, { min: 1, max: 100_000 }),
  };
}

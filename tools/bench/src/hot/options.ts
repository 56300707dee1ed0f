import { chooseParts, nodeOptions, parseFlags, wholeNumber } from '../flags.ts';

export const hotHelp = `  npm run bench -- hot [options]

  --seconds N          duration with one hot device, with and without mitigation (default 60)
  --limit N            write units a second of a partition key (default 25)
  --devices N          other devices, each with a reading a second (default 150)
  --only LIST          of device, heat, metric, list, separated by commas (default all)
`;

const closables = ['device', 'heat', 'metric', 'list'] as const;
export type HotPart = (typeof closables)[number];

export interface HotOptions {
  subject: 'hot';
  seconds: number;
  limit: number;
  devices: number;
  only: readonly HotPart[];
  node: readonly string[];
  profile: string | undefined;
  save: boolean;
}

const text = { type: 'string' } as const;
const flags = {
  seconds: { ...text, default: '60' },
  limit: { ...text, default: '25' },
  devices: { ...text, default: '150' },
  only: { ...text, default: closables.join(',') },
  node: { ...text, default: '' },
  profile: text,
  save: { type: 'boolean', default: false },
} as const;

/** @throws OperatorError for an invalid option */
export function parseHotOptions(args: string[]): HotOptions {
  const values = parseFlags(args, flags);
  return {
    subject: 'hot',
    // Mitigation needs 10 s of heat and 7 s until new shards are active.
    seconds: wholeNumber('--seconds', values.seconds, 20, 600),
    // Ten times the limit is published each second, on loopback and two cores.
    limit: wholeNumber('--limit', values.limit, 5, 200),
    devices: wholeNumber('--devices', values.devices, 1, 1000),
    only: chooseParts(values.only, closables),
    node: nodeOptions(values.node),
    profile: values.profile,
    save: values.save,
  };
}

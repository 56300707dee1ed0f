import { parseArgs } from 'node:util';
import { OperatorError } from '@engawa/errors';

export const help = `Checks whether a broker keeps a session, its plain subscriptions and its shared subscriptions over a restart. Several
replicas of ingestion require that: messages that a broker acknowledges after it lost a subscription are delivered to no one.

  npm run check:broker -- --url URL [options]

  --url URL           URL of the broker (default mqtt://127.0.0.1:1883)
  --mqtt-version V    5 or 3.1.1 (default 5)
  --restart COMMAND   command that restarts the broker and returns when it listens; without it you are prompted to restart it

  MQTT_USERNAME, MQTT_PASSWORD    credentials, if the broker requires them

It uses topics that begin with engawa-broker-check/ and removes its session.
`;

export interface Options {
  url: string;
  version: '5' | '3.1.1';
  restart: string | undefined;
  username: string | undefined;
  password: string | undefined;
}

/** @throws OperatorError that names the invalid option */
export function parseOptions(args: string[], environment: NodeJS.ProcessEnv): Options | 'help' {
  const text = { type: 'string' } as const;
  const values = parse(args, {
    url: { ...text, default: 'mqtt://127.0.0.1:1883' },
    'mqtt-version': { ...text, default: '5' },
    restart: text,
    help: { type: 'boolean', default: false },
  });
  if (values.help === true) return 'help';
  const { url = '', 'mqtt-version': version, restart } = values;
  if (!/^(mqtts?|wss?):\/\//.test(url)) {
    throw new OperatorError(`--url must begin with mqtt, mqtts, ws or wss, not '${url}'`);
  }
  if (version !== '5' && version !== '3.1.1') {
    throw new OperatorError(`--mqtt-version must be 5 or 3.1.1, not '${String(version)}'`);
  }
  const { MQTT_USERNAME: username, MQTT_PASSWORD: password } = environment;
  return { url, version, restart, username, password };
}

interface ParsedArguments {
  url?: string;
  'mqtt-version'?: string;
  restart?: string;
  help?: boolean;
}

function parse(
  args: string[],
  options: NonNullable<Parameters<typeof parseArgs>[0]>['options'],
): ParsedArguments {
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new OperatorError(`${(error as Error).message} (--help lists the options)`);
  }
}

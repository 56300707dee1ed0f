import { parseArgs } from 'node:util';
import { OperatorError } from '@engawa/errors';

export const help = `Engawa on this machine: a DynamoDB API, an MQTT broker, the services and a simulator.

  npm start -- [options]

  --no-simulator   no simulated homes
  --verbose        show all log lines of the services, not only warnings and errors
  --help           this text

  MQTT_URL, MQTT_VERSION    a broker instead of the embedded one
  DYNAMODB_ENDPOINT         a DynamoDB API instead of the embedded one
  TABLE_NAME, AWS_REGION    the table (engawa) and its region
  DATA_FOLDER               the folder of the embedded DynamoDB API's data (.data)
  ENGINE_FOLDER             where the embedded DynamoDB API is installed on platforms other than Linux x64 (.engine)

  Ports: CONSOLE_PORT 4000, MQTT_PORT 1883, DYNAMODB_PORT 8000, INGESTION_PORT 4001, REGISTRY_PORT 4002,
  QUERY_PORT 4003, CATALOG_PORT 4004, CONSOLE_METRICS_PORT 9400, INGESTION_METRICS_PORT 9401,
  REGISTRY_METRICS_PORT 9402, QUERY_METRICS_PORT 9403, CATALOG_METRICS_PORT 9404
`;

export interface Options {
  simulator: boolean;
  verbose: boolean;
  help: boolean;
}

/** @throws OperatorError for an unknown option */
export function parseOptions(args: string[]): Options {
  try {
    return parseArgs({
      args,
      allowNegative: true,
      options: {
        simulator: { type: 'boolean', default: true },
        verbose: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('. ');
    throw new OperatorError(`${reason}; npm start -- --help lists the options`);
  }
}

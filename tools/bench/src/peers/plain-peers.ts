import { join } from 'node:path';
import { RunningProcess, workspace } from '@engawa/embedded';
import { clientId } from './peer.ts';
import { createPlainTable, credentials, scanPlainTable } from './plain-table.ts';
import type { Peer, PeerTarget } from './peer.ts';

type Command = readonly [string, ...string[]];

const folder = join(workspace, 'bench/peers');

/** mqtt.js and a PutCommand per reading. */
export function naivePeer(): Peer {
  const command = [process.execPath, join(folder, 'naive/naive.ts')] as const;
  return plainPeer(
    'naive',
    'mqtt.js, one PutCommand per reading, automatic acknowledgement',
    command,
  );
}

/** @param python the interpreter, with paho-mqtt and boto3 */
export function carefulPeer(python: string): Peer {
  const about = 'paho-mqtt and boto3, batches of 25 readings or 100 ms, eight in flight';
  return plainPeer('careful', about, [python, join(folder, 'careful/careful.py')]);
}

/** @param binary a stream processor that understands Bento's configuration */
export function enginePeer(
  binary: string,
  configuration = join(folder, 'bento/engine.yaml'),
): Peer {
  const about = 'stream processor, batches of 25 readings or 100 ms, 64 in flight';
  return plainPeer('engine', about, [binary, '-c', configuration]);
}

function plainPeer(name: Peer['name'], about: string, command: Command): Peer {
  return {
    name,
    about,
    createTable: createPlainTable,
    launch: (target) => Promise.resolve(launch(name, command, target)),
    readBack: scanPlainTable,
  };
}

function launch(name: string, command: Command, target: PeerTarget): RunningProcess {
  const environment = {
    ...credentials,
    NODE_ENV: 'production',
    MQTT_URL: target.mqttUrl,
    MQTT_CLIENT_ID: clientId,
    DYNAMODB_ENDPOINT: target.endpoint,
    TABLE_NAME: target.tableName,
  };
  return new RunningProcess({ name, command, environment });
}

import { echonet } from './echonet.ts';
import { faulty } from './faulty.ts';
import { native } from './native.ts';
import { remote } from './remote.ts';
import { shelly } from './shelly.ts';
import { statestream } from './statestream.ts';
import { tasmota } from './tasmota.ts';
import { zigbee2mqtt } from './zigbee2mqtt.ts';
import type { Dialect } from './device-message.ts';

export const dialects: readonly Dialect[] = [
  native,
  zigbee2mqtt,
  shelly,
  tasmota,
  statestream,
  echonet,
  remote,
  faulty,
];

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSettings } from '@engawa/service';
import { chartFolder } from '../src/chart-folder.ts';
import { secretValue } from './checks/environment.ts';
import { modules, settingsOf } from './component-settings.ts';
import type { Component } from './component-settings.ts';

interface Schema {
  properties?: Record<string, Schema>;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
}

const schema = JSON.parse(readFileSync(join(chartFolder, 'values.schema.json'), 'utf8')) as Schema;

/** Values with their own name, and the setting of each. */
const named: [path: string, component: Component, setting: string][] = [
  ['mqtt.version', 'ingestion', 'MQTT_VERSION'],
  ['mqtt.connections', 'ingestion', 'MQTT_CONNECTIONS'],
  ['mqtt.partitions', 'ingestion', 'MQTT_PARTITIONS'],
  ['mqtt.window', 'ingestion', 'MQTT_WINDOW'],
  ['mqtt.sessionExpirySeconds', 'ingestion', 'MQTT_SESSION_EXPIRY_SECONDS'],
  ['mqtt.keepaliveSeconds', 'ingestion', 'MQTT_KEEPALIVE_SECONDS'],
  ['mqtt.maxPacketBytes', 'ingestion', 'MQTT_MAX_PACKET_BYTES'],
  ['auth.clockToleranceSeconds', 'query', 'AUTH_CLOCK_TOLERANCE_S'],
  ['table.billing', 'table', 'TABLE_BILLING'],
  ['rollup.aheadHours', 'rollup', 'ROLLUP_AHEAD_HOURS'],
];
const bySetting = (['ingestion', 'registry', 'query', 'catalog', 'console'] as const).flatMap(
  (service) =>
    Object.keys(at(`${service}.settings`).properties ?? {}).map(
      (name): [string, Component, string] => [`${service}.settings.${name}`, service, name],
    ),
);

const bounded = [...named, ...bySetting].filter(([path]) => {
  const { enum: listed, minimum, maximum } = at(path);
  return listed !== undefined || minimum !== undefined || maximum !== undefined;
});
const numbers = bounded.filter(([path]) => at(path).enum === undefined);

/** Whether the component accepts this setting; errors of other settings are ignored. */
function isTaken(component: Component, setting: string, value: unknown): boolean {
  const required = settingsOf(component).filter((row) => row.required);
  const environment = Object.fromEntries([
    ...required.map(({ name }) => [name, secretValue(name)]),
    [setting, value === true ? 'on' : value === false ? 'off' : String(value)],
  ]) as Record<string, string>;
  try {
    loadSettings(modules[component].settings, environment);
    return true;
  } catch {
    return false;
  }
}

function at(path: string): Schema {
  const found = path
    .split('.')
    .reduce<Schema | undefined>((place, key) => place?.properties?.[key], schema);
  if (!found) throw new Error(`values.schema.json does not know ${path}`);
  return found;
}

describe('values.schema.json', () => {
  it.each(bounded)('allows values of %s that %s accepts', (path, component, setting) => {
    const { enum: listed = [], minimum, maximum } = at(path);
    const allowed = [...listed, minimum, maximum].filter((value) => value !== undefined);
    const refused = allowed.filter((value) => !isTaken(component, setting, value));
    expect(refused).toEqual([]);
  });

  it.each(numbers)('rejects values of %s that %s does not accept', (path, component, setting) => {
    const { minimum, maximum } = at(path);
    const beyond = [
      ...(minimum === undefined ? [] : [minimum - 1]),
      ...(maximum === undefined ? [] : [maximum + 1]),
    ];
    expect(beyond.filter((value) => isTaken(component, setting, value))).toEqual([]);
  });
});

import * as catalog from '@engawa/catalog';
import * as console from '@engawa/console';
import * as ingestion from '@engawa/ingestion';
import * as query from '@engawa/query';
import * as rollup from '@engawa/query/rollup';
import * as registry from '@engawa/registry';
import * as table from '@engawa/table/command';
import { documentSettings } from '@engawa/service';
import type { SettingRow } from '@engawa/service';

/** Commands of our image, by component. */
export const modules = { ingestion, registry, query, catalog, console, rollup, table };
export type Component = keyof typeof modules;
export const components = Object.keys(modules) as Component[];
export const tasks: readonly Component[] = ['rollup', 'table'];

/** Foreign variables: of Node.js, of the AWS SDK, and those that form the client identifier. */
export const foreignVariables = [
  'NODE_OPTIONS',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'POD_NAME',
  'POD_NAMESPACE',
];

export function settingsOf(component: Component): SettingRow[] {
  return documentSettings(modules[component].settings);
}

export function settingNames(component: Component): string[] {
  return settingsOf(component).map(({ name }) => name);
}

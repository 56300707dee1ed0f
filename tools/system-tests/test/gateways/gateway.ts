import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathWithSbin } from '@engawa/embedded';
import type { ChartRoutes } from './chart-routes.ts';

/** Ports of the servers on loopback, by the component of the chart. */
export type ServerPorts = ReadonlyMap<string, string>;

export interface GatewayOptions {
  /** Listened to on loopback. */
  port: number;
  servers: ServerPorts;
  routes: ChartRoutes;
  /** Empty, for the files that the gateway reads and writes. */
  folder: string;
}

/** A gateway with the configuration that its controller makes of the chart's objects. */
export interface Gateway {
  name: string;
  /** The program on the PATH; the variable of its name in upper case has the path of another. */
  program: string;
  /** Whether it decodes `%2F` before it selects a route: ids with a slash then have no route of their own. */
  decodesSlashes?: boolean;
  /** The arguments that print the version. */
  versionArguments: string[];
  /** Writes the configuration. @returns the arguments that start the gateway in the foreground */
  configure(options: GatewayOptions): string[];
}

/** The path of the program, from the variable of its name or the PATH; undefined without one. */
export function findGateway({ program }: Gateway): string | undefined {
  const given = process.env[program.toUpperCase()];
  if (given !== undefined && given !== '') return given;
  const folders = pathWithSbin.split(delimiter);
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}

/** The first line with a version that the program prints. */
export function versionOf(path: string, { versionArguments }: Gateway): string {
  const { stdout, stderr } = spawnSync(path, versionArguments, { encoding: 'utf8' });
  const line = `${stdout}\n${stderr}`.split('\n').find((text) => /\d+\.\d+/.test(text));
  if (line === undefined)
    throw new Error(`${path} ${versionArguments.join(' ')} prints no version`);
  return line.trim();
}

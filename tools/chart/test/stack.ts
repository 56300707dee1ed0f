import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '@engawa/service';
import type { RunningService, ServiceModule, ServiceSettings } from '@engawa/service';
import { ListeningPorts } from '@engawa/testing';
import { secretValue } from './checks/environment.ts';
import { modules } from './component-settings.ts';
import type { Component } from './component-settings.ts';
import type { Rendered } from './rendered.ts';

/** Runs the chart's commands as processes of this machine: with the chart's environment, on loopback. */
export class Stack {
  readonly #rendered: Rendered;
  readonly #mqttUrl: string;
  /** Replaces the volumes that the chart mounts. */
  readonly #folder = mkdtempSync(join(tmpdir(), 'engawa-volumes-'));
  readonly #closers: (() => Promise<void>)[] = [];

  constructor(rendered: Rendered, mqttUrl: string) {
    this.#rendered = rendered;
    this.#mqttUrl = mqttUrl;
  }

  async start(component: Component): Promise<ListeningPorts> {
    const ports = new ListeningPorts();
    const module: unknown = modules[component];
    const running: RunningService<unknown> = await startService({
      name: component,
      module: module as ServiceModule<ServiceSettings>,
      environment: {
        ...this.#rendered.processEnvironment(component, secretValue),
        ...{ HOST: '127.0.0.1', PORT: '0', METRICS_PORT: '0', HOT_PARTITION_PEERS: '' },
        ...{ MQTT_URL: this.#mqttUrl, LINGER_MS: '0', FULL_TEXT_FOLDER: this.#folder },
      },
      logDestination: ports,
    });
    this.#closers.unshift(() => running.close());
    return ports;
  }

  async close(): Promise<void> {
    for (const close of this.#closers) await close();
    rmSync(this.#folder, { recursive: true });
  }
}

import * as tables from '@grafana/grafana-foundation-sdk/table';
import { infinityTarget, queryApi } from './infinity.ts';
import { place } from './panel-parts.ts';
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard';
import type { HttpQuery } from './infinity.ts';
import type { PanelOptions } from './panel-parts.ts';

export type HttpPanelOptions = PanelOptions & { query: HttpQuery };

/** A table from the query API. @param wide widths, in pixels, of columns whose text wraps */
export function rowsTable(
  options: HttpPanelOptions & { wide?: Readonly<Record<string, number>> },
): Panel {
  const panel = new tables.PanelBuilder()
    .title(options.title)
    .description(options.description)
    .gridPos(place(options))
    .unit('string')
    .datasource(queryApi)
    .targets([infinityTarget(options.query)])
    .overrideByName('time', [{ id: 'custom.width', value: 220 }]);
  for (const [name, width] of Object.entries(options.wide ?? {})) {
    panel.overrideByName(name, [
      { id: 'custom.width', value: width },
      { id: 'custom.cellOptions', value: { type: 'auto', wrapText: true } },
    ]);
  }
  return panel.build();
}

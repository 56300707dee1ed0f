import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { drawingScript } from './draw-charts.ts';
import { escaped } from './html.ts';
import { style } from './style.ts';
import type { PanelModel } from '../dashboard-model.ts';
import type { Chart } from './chart.ts';

/** In pixels; `lineHeight` is one line of Grafana's grid. */
export const pageWidth = 1600;
const gap = 8;
const lineHeight = 38;
const columns = 24;
const headHeight = 56;
const footHeight = 40;

export interface Drawn {
  panel: PanelModel;
  /** The panel's content. */
  html: string;
  chart?: Chart;
}

export interface PageOptions {
  title: string;
  /** The variables at its head, with their values. */
  variables: readonly (readonly [string, string])[];
  /** The time range in words. */
  time: string;
  drawn: readonly Drawn[];
}

export function pageHeight(panels: readonly PanelModel[]): number {
  const lines = Math.max(...panels.map(({ gridPos: { y, h } }) => y + h));
  return headHeight + lines * lineHeight + footHeight;
}

/** A dashboard in one file that needs no network. */
export function pageOf({ title, variables, time, drawn }: PageOptions): string {
  const uPlot = join(createRequire(import.meta.url).resolve('uplot'), '../uPlot.iife.min.js');
  const sheet = join(uPlot, '../uPlot.min.css');
  const charts = drawn.flatMap(({ chart }) => chart ?? []);
  const chosen = variables.map(
    ([name, value]) => `<span><label>${escaped(name)}</label>${escaped(value)}</span>`,
  );
  return `<!doctype html><meta charset="utf-8"><title>${escaped(title)}</title>
<style>${readFileSync(sheet, 'utf8')}${style}</style>
<header><h1>${escaped(title)}</h1>${chosen.join('')}<span class="time">${escaped(time)}</span></header>
<main style="height:${pageHeight(drawn.map(({ panel }) => panel)) - headHeight - footHeight}px">${drawn.map(panelHtml).join('\n')}</main>
<footer>Drawn without Grafana from the results of this dashboard's own queries. Prometheus scraped the services for a few minutes with deliberate faults.</footer>
<script>${readFileSync(uPlot, 'utf8')}</script>
<script>${drawingScript(charts)}</script>`;
}

function panelHtml({ panel, html }: Drawn): string {
  const { x, y, w, h } = panel.gridPos;
  const cell = (pageWidth - gap) / columns;
  const place = [
    `left:${gap + x * cell}px`,
    `top:${y * lineHeight}px`,
    `width:${w * cell - gap}px`,
    `height:${h * lineHeight - gap}px`,
  ].join(';');
  if (panel.type === 'row') return `<h2 style="${place}">${escaped(panel.title)}</h2>`;
  return `<section style="${place}"><h3>${escaped(panel.title)}</h3>${html}</section>`;
}

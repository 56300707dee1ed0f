import { escaped } from './html.ts';
import { columnWidth, lineHeight, panelGap } from './layout.ts';
import { style } from './style.ts';
import type { PanelModel } from '../dashboard-model.ts';

/** In pixels. */
const headHeight = 56;
const footHeight = 40;

export interface RenderedPanel {
  panel: PanelModel;
  /** The panel's content. */
  html: string;
}

export interface PageOptions {
  title: string;
  /** The variables at its head, with their values. */
  variables: readonly (readonly [string, string])[];
  /** The time range in words. */
  time: string;
  drawn: readonly RenderedPanel[];
}

export function pageHeight(panels: readonly PanelModel[]): number {
  const lines = Math.max(...panels.map(({ gridPos: { y, h } }) => y + h));
  return headHeight + lines * lineHeight + footHeight;
}

/** A dashboard in one file that needs no network. */
export function pageOf({ title, variables, time, drawn }: PageOptions): string {
  const chosen = variables.map(
    ([name, value]) => `<span><label>${escaped(name)}</label>${escaped(value)}</span>`,
  );
  return `<!doctype html><meta charset="utf-8"><title>${escaped(title)}</title>
<style>${style}</style>
<header><h1>${escaped(title)}</h1>${chosen.join('')}<span class="time">${escaped(time)}</span></header>
<main style="height:${pageHeight(drawn.map(({ panel }) => panel)) - headHeight - footHeight}px">${drawn.map(panelHtml).join('\n')}</main>
<footer>Drawn without Grafana from the results of this dashboard's own queries. Prometheus scraped the services for a few minutes with deliberate faults.</footer>`;
}

function panelHtml({ panel, html }: RenderedPanel): string {
  const { x, y, w, h } = panel.gridPos;
  const place = [
    `left:${panelGap + x * columnWidth}px`,
    `top:${y * lineHeight}px`,
    `width:${w * columnWidth - panelGap}px`,
    `height:${h * lineHeight - panelGap}px`,
  ].join(';');
  if (panel.type === 'row') return `<h2 style="${place}">${escaped(panel.title)}</h2>`;
  return `<section style="${place}"><h3>${escaped(panel.title)}</h3>${html}</section>`;
}

import { useEffect } from 'preact/hooks';
import { liveStatus } from '../live/live-status.ts';
import { shared } from '../i18n/shared.ts';
import { timeZone } from '../i18n/format.ts';
import type { ComponentChildren } from 'preact';

interface PageFrameProps {
  title: string;
  /** Controls beside the title. */
  tools?: ComponentChildren;
  children: ComponentChildren;
}

/** Title, live status, time zone and content of a page. */
export function PageFrame({ title, tools, children }: PageFrameProps) {
  useEffect(() => {
    document.title = `${title} · Engawa`;
  }, [title]);
  return (
    <div class="page">
      <header class="page-header">
        <h1>{title}</h1>
        <LiveBadge />
        <span class="page-zone">{shared.value.timeZone(timeZone)}</span>
        <div class="page-tools">{tools}</div>
      </header>
      {children}
    </div>
  );
}

function LiveBadge() {
  const status = liveStatus.value;
  if (status === 'idle') return null;
  return (
    <span class={`live-badge live-${status}`} role="status">
      {shared.value.live[status]}
    </span>
  );
}

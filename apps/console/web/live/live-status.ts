import { signal } from '@preact/signals';

/** Whether the values on the page are live; `idle` where the page shows no live values. */
export const liveStatus = signal<'idle' | 'connecting' | 'open' | 'polling'>('idle');

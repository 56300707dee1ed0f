import { effect, signal } from '@preact/signals';
import { readPreference, storePreference } from '../preferences.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const stored = readPreference('theme');

export const theme = signal<Theme>(themes.find((one) => one === stored) ?? 'system');

const darkSystem = matchMedia('(prefers-color-scheme: dark)');
const isSystemDark = signal(darkSystem.matches);
darkSystem.addEventListener('change', ({ matches }) => (isSystemDark.value = matches));

/** Whether the dark colours are shown: for canvases, which cannot use CSS variables. */
export function isDark(): boolean {
  return theme.value === 'dark' || (theme.value === 'system' && isSystemDark.value);
}

effect(() => {
  document.documentElement.dataset.theme = isDark() ? 'dark' : 'light';
});

export function setTheme(chosen: Theme): void {
  theme.value = chosen;
  storePreference('theme', chosen);
}

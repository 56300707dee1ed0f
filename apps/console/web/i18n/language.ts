import { effect, signal } from '@preact/signals';
import { readPreference, storePreference } from '../preferences.ts';

export const languages = ['en', 'ja'] as const;
export type Language = (typeof languages)[number];

/** The user's choice, else the first language of the browser that the console has. */
function initialLanguage(): Language {
  const given = [readPreference('language') ?? '', ...navigator.languages];
  for (const tag of given) {
    const found = languages.find((one) => tag === one || tag.startsWith(`${one}-`));
    if (found !== undefined) return found;
  }
  return 'en';
}

export const language = signal<Language>(initialLanguage());

effect(() => {
  document.documentElement.lang = language.value;
});

export function setLanguage(chosen: Language): void {
  language.value = chosen;
  storePreference('language', chosen);
}

import { session, signOut } from '../api/session.ts';
import { language, languages, setLanguage } from '../i18n/language.ts';
import { shared } from '../i18n/shared.ts';
import { openDialog } from '../keyboard/keys.ts';
import { Icon } from '../parts/icon.tsx';
import { pages } from '../pages/pages.ts';
import { currentPath } from '../router/router.ts';
import { setTheme, theme, themes } from '../theme/theme.ts';
import type { Language } from '../i18n/language.ts';
import type { Theme } from '../theme/theme.ts';

/** Links to all pages, search, and the choices of the user. */
export function Navigation() {
  const { navigation, pages: names, product } = shared.value;
  return (
    <header class="sidebar">
      <a class="brand" href="/house">
        <Mark />
        <span>{product}</span>
      </a>
      <nav aria-label={navigation}>
        <ul>
          {pages.map(({ path, name, icon, key }) => (
            <li key={path}>
              <a
                href={path}
                aria-current={currentPath.value === path ? 'page' : undefined}
                aria-keyshortcuts={`g ${key}`}
              >
                <Icon name={icon} />
                <span>{names[name]}</span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <Choices />
    </header>
  );
}

function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
      <rect width="32" height="32" rx="7" />
      <path d="M6 14 16 7l10 7M6 20h20M6 25h20" />
    </svg>
  );
}

function Choices() {
  const { search, keys, signIn } = shared.value;
  const state = session.value;
  return (
    <div class="choices">
      <button
        class="button icon-button"
        type="button"
        aria-label={search.label}
        title={`${search.label} (/)`}
        onClick={() => (openDialog.value = 'search')}
      >
        <Icon name="search" />
      </button>
      <button
        class="button icon-button wide-only"
        type="button"
        aria-label={keys.help}
        title={`${keys.help} (?)`}
        onClick={() => (openDialog.value = 'keys')}
      >
        <Icon name="keyboard" />
      </button>
      <ThemeChoice />
      <LanguageChoice />
      {state.kind === 'ready' && state.info.mode === 'jwt' && (
        <button class="button" type="button" onClick={() => signOut()}>
          {signIn.signOut}
        </button>
      )}
    </div>
  );
}

const themeIcons = { system: 'system', light: 'sun', dark: 'moon' } as const;

/** One button that goes through the themes: small enough for a phone. */
function ThemeChoice() {
  const texts = shared.value.theme;
  const current = theme.value;
  const next: Theme = themes[(themes.indexOf(current) + 1) % themes.length] ?? 'system';
  const label = `${texts.label}: ${texts[current]}`;
  return (
    <button
      class="button icon-button"
      type="button"
      aria-label={label}
      title={label}
      onClick={() => setTheme(next)}
    >
      <Icon name={themeIcons[current]} />
    </button>
  );
}

const languageNames: Record<Language, string> = { en: 'English', ja: '日本語' };

function LanguageChoice() {
  return (
    <select
      class="select"
      aria-label={shared.value.language}
      value={language.value}
      onChange={(event) => setLanguage(event.currentTarget.value as Language)}
    >
      {languages.map((one) => (
        <option key={one} value={one} lang={one}>
          {languageNames[one]}
        </option>
      ))}
    </select>
  );
}

/** The languages and colours in which every page is tested. */
export const variants = [
  { locale: 'en-GB', colorScheme: 'light' },
  { locale: 'en-GB', colorScheme: 'dark' },
  { locale: 'ja-JP', colorScheme: 'light' },
  { locale: 'ja-JP', colorScheme: 'dark' },
] as const;

/** The paths of all pages. */
export const pagePaths = ['/house', '/explore', '/heat', '/table', '/dead-letters', '/health'];

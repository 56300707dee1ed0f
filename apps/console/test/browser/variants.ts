/**
 * Each language and each colour scheme, in which every page is tested: a colour does not depend on the language, nor a
 * name on the colours.
 */
export const variants = [
  { locale: 'en-GB', colorScheme: 'light' },
  { locale: 'ja-JP', colorScheme: 'dark' },
] as const;

/** The paths of all pages, and of views that differ much. */
export const pagePaths = [
  '/house',
  '/explore',
  '/heat',
  '/heat?resolution=minute&order=key&key=table+%3D+SHARDS',
  '/table',
  '/table?view=items&pk=PLACE%23tanaka',
  '/table?view=catalog',
  '/dead-letters',
  '/health',
];

/** The languages and colours in which every page is tested. */
export const variants = [
  { locale: 'en-GB', colorScheme: 'light' },
  { locale: 'en-GB', colorScheme: 'dark' },
  { locale: 'ja-JP', colorScheme: 'light' },
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

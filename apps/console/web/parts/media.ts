import { signal } from '@preact/signals';

/** The width below which pages have one column, as in the style sheets. */
const narrow = matchMedia('(max-width: 720px)');

export const isNarrow = signal(narrow.matches);
narrow.addEventListener('change', ({ matches }) => (isNarrow.value = matches));

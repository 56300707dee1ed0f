import { isNarrow } from '../../parts/media.ts';
import { currentQuery, navigate } from '../../router/router.ts';

/** The address of this page with a dead letter open; without an id, with none. */
export function withLetter(id: string | undefined): string {
  const query = new URLSearchParams(currentQuery.value);
  query.delete('letter');
  query.delete('form');
  if (id !== undefined) query.set('letter', id);
  return `/dead-letters${query.size === 0 ? '' : `?${query.toString()}`}`;
}

/** Opens a dead letter beside the list, which keeps its place; other clicks are those of any link. */
export function openLetter(event: MouseEvent, id: string): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  navigate(withLetter(id));
  if (isNarrow.peek()) scrollTo(0, 0);
}

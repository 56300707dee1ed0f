import { PageFrame } from '../../parts/page-frame.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { shared } from '../../i18n/shared.ts';
import { deadLettersTexts } from './texts.ts';

export function DeadLettersPage() {
  return (
    <PageFrame title={shared.value.pages.deadLetters}>
      <EmptyState title={deadLettersTexts.value.empty} />
    </PageFrame>
  );
}

import { PageFrame } from '../../parts/page-frame.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { shared } from '../../i18n/shared.ts';
import { tableTexts } from './texts.ts';

export function TablePage() {
  return (
    <PageFrame title={shared.value.pages.table}>
      <EmptyState title={tableTexts.value.empty} />
    </PageFrame>
  );
}

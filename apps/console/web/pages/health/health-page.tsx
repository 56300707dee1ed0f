import { PageFrame } from '../../parts/page-frame.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { shared } from '../../i18n/shared.ts';
import { healthTexts } from './texts.ts';

export function HealthPage() {
  return (
    <PageFrame title={shared.value.pages.health}>
      <EmptyState title={healthTexts.value.empty} />
    </PageFrame>
  );
}

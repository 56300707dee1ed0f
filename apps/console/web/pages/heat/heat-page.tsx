import { PageFrame } from '../../parts/page-frame.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { shared } from '../../i18n/shared.ts';
import { heatTexts } from './texts.ts';

export function HeatPage() {
  return (
    <PageFrame title={shared.value.pages.heat}>
      <EmptyState title={heatTexts.value.empty} />
    </PageFrame>
  );
}

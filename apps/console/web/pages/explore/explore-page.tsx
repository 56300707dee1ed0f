import { PageFrame } from '../../parts/page-frame.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { shared } from '../../i18n/shared.ts';
import { exploreTexts } from './texts.ts';

export function ExplorePage() {
  return (
    <PageFrame title={shared.value.pages.explore}>
      <EmptyState title={exploreTexts.value.empty} />
    </PageFrame>
  );
}

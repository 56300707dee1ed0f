import { useEffect, useState } from 'preact/hooks';
import { session, startSession } from './api/session.ts';
import { openDialog } from './keyboard/keys.ts';
import { KeysDialog } from './frame/keys-dialog.tsx';
import { shared } from './i18n/shared.ts';
import { Navigation } from './frame/navigation.tsx';
import { SearchDialog } from './frame/search-dialog.tsx';
import { SignIn, SignInDialog } from './frame/sign-in.tsx';
import { Button } from './parts/button.tsx';
import { EmptyState, ErrorState, LoadingState } from './parts/states.tsx';
import { pageAt } from './pages/pages.ts';
import { currentPath, navigate } from './router/router.ts';
import type { ComponentType } from 'preact';
import type { Page } from './pages/pages.ts';

/** The frame of all pages, and the page at the current path. */
export function App() {
  return (
    <div class="frame">
      <a class="skip-link" href="#content" onClick={focusContent}>
        {shared.value.skipToContent}
      </a>
      <Navigation />
      <main id="content" tabIndex={-1}>
        <Content />
      </main>
      {openDialog.value === 'keys' && <KeysDialog />}
      {openDialog.value === 'search' && <SearchDialog />}
      <SignInAgain />
    </div>
  );
}

function SignInAgain() {
  const state = session.value;
  if (state.kind !== 'expired') return null;
  return <SignInDialog info={state.info} reason={state.reason} message={state.message} />;
}

function focusContent(event: Event): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}

function Content() {
  const state = session.value;
  const path = currentPath.value;
  if (state.kind === 'loading') return <LoadingState />;
  if (state.kind === 'unreachable') {
    return <ErrorState error={undefined} onRetry={() => void startSession()} />;
  }
  if (state.kind === 'signed-out') {
    return <SignIn info={state.info} reason={state.reason} message={state.message} />;
  }
  if (state.kind === 'handed-over') return <EmptyState title={shared.value.signIn.handedOver} />;
  if (path === '/') {
    navigate('/house', { replace: true });
    return null;
  }
  const page = pageAt(path);
  if (page === undefined) {
    return (
      <EmptyState title={shared.value.notFound.title}>
        <a href="/house">{shared.value.notFound.back}</a>
      </EmptyState>
    );
  }
  return <LazyPage key={page.path} page={page} />;
}

function LazyPage({ page }: { page: Page }) {
  const [loaded, setLoaded] = useState<{ Component?: ComponentType; hasFailed?: boolean }>({});
  useEffect(() => {
    page.load().then(
      (Component) => setLoaded({ Component }),
      () => setLoaded({ hasFailed: true }),
    );
  }, [page]);
  if (loaded.hasFailed === true) return <LoadFailed />;
  return loaded.Component === undefined ? <LoadingState /> : <loaded.Component />;
}

/** The assets of an older version are gone after an update of the console. */
function LoadFailed() {
  const { title, advice, reload } = shared.value.loadFailed;
  return (
    <EmptyState title={title}>
      <p>{advice}</p>
      <Button onClick={() => location.reload()}>{reload}</Button>
    </EmptyState>
  );
}

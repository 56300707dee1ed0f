import { render } from 'preact';
import './theme/theme.css';
import './theme/base.css';
import './frame/frame.css';
import './parts/controls.css';
import './parts/values.css';
import './parts/states.css';
import './parts/dialogs.css';
import { App } from './app.tsx';
import { startSession } from './api/session.ts';
import { listenToKeys } from './keyboard/keys.ts';
import { pages } from './pages/pages.ts';
import { listenToLinks } from './router/router.ts';

const root = document.getElementById('app');
if (root !== null) {
  listenToLinks();
  listenToKeys(pages);
  void startSession();
  render(<App />, root);
}

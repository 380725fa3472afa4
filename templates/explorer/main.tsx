import './style.css';
import { render } from 'preact';
import { App, openPublication } from './app/app.tsx';
import { parsePlace } from './app/router.ts';
import { views } from './app/views.ts';

const place = document.getElementById('explorer');
if (place) {
  const opening = openPublication();
  // The code of the first view comes while the site is opened. If it fails, showing the view says so.
  views[parsePlace(location.hash).view]?.().catch(() => undefined);
  render(<App opening={opening} />, place);
}

import './style.css';
import { views } from './app/views.ts';

// Nothing else is imported here, so that the view is on its way before the code that all views share is there.
const [, name = ''] = /^#?\/?([^/?]*)/.exec(location.hash) ?? [];
const first = Object.hasOwn(views, name || 'home') ? views[name || 'home']?.() : undefined;
import('./app/start.tsx').then(({ start }) => start(views, first));

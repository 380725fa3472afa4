import './style.css';
import { render } from 'preact';
import { App } from './app/app.tsx';

const place = document.getElementById('explorer');
if (place) render(<App />, place);

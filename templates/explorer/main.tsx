import './style.css';
import { render } from 'preact';
import { App, openPublication } from './app/app.tsx';

const place = document.getElementById('explorer');
if (place) render(<App opening={openPublication()} />, place);

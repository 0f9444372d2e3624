import './style/index.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { applyTheme } from './data/preferences.ts';
import { followServer } from './data/stream.ts';

applyTheme();
followServer();
const root = document.getElementById('app');
if (root) render(<App />, root);

// Starts the console in the browser.
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import './styles/base.css';
import './styles/frame.css';
import './styles/parts.css';

const place = document.getElementById('console');
if (place === null) throw new Error('the page has no place for the console');
createRoot(place).render(<App />);

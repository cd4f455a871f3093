// The lint rules of our own, as a plugin.
import { castReason } from './cast-reason.mjs';
import { linesPerFunction } from './lines-per-function.mjs';

export default {
  meta: { name: 'cairn' },
  rules: { 'cast-reason': castReason, 'lines-per-function': linesPerFunction },
};

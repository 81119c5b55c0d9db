/**
 * The npm package. Importing it does nothing, on a server neither: `init({ key, server })` starts it. The parts are
 * ordinary dynamic imports, which the application's bundler splits off.
 */
import type { CircuyApi } from './api';
import { Circuy as Implementation } from './circuy';

export type * from './api';

export const Circuy: CircuyApi = new Implementation({
  widget: () => import('./widget'),
  recorder: () => import('./recorder'),
  preview: () => import('./preview'),
  shadow: () => import('./shadow'),
  server: '',
  data: () => ({}),
});

export default Circuy;

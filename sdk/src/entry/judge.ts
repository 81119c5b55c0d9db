/** Loaded by a running guide when a selector does not settle by itself which element is meant. */
export { resolveTarget } from '../dom/resolution';
export { wayInTo } from '../dom/way_in';

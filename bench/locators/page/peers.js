/** The npm peers: each gives a CSS selector for an element. */
import { finder } from '@medv/finder';
import { getCssSelector } from 'css-selector-generator';

globalThis.LocatorPeers = { finder: (element) => finder(element), csg: (element) => getCssSelector(element) };

/** How long a way of finding an element is likely to hold: what its two selectors rest on, and whether it has a name. */
import { TEST_ID_ATTRIBUTES, WORDED } from '../dom/attributes';
import { ENTER } from '../dom/survey';

export type Strength = 'strong' | 'medium' | 'fragile';

/** What a selector rests on, the most lasting first. */
type Family = 'mark' | 'attribute' | 'words' | 'place' | 'path';

const FAMILIES: readonly Family[] = ['mark', 'attribute', 'words', 'place', 'path'];
const MARKS = ['name', ...TEST_ID_ATTRIBUTES];
const STRUCTURAL = / > |:nth-of-type\(|:not\(\* > \*\)/;

/**
 * "strong": an id, a name or a test id of its own, or a name that no other element of its kind has (`isAlone`), by which it
 * is recognised. "fragile": nothing but its rank among the elements around it.
 */
export function strengthOf(selector: string, fallback: string, isAlone: boolean): Strength {
  const families = [selector, fallback].filter((written) => written !== '').map(familyOf);
  if (isAlone || families.includes('mark')) {
    return 'strong';
  }
  return families.some((family) => family !== 'path') ? 'medium' : 'fragile';
}

/** Of a selector that enters shadow roots and frames, the weakest part says. */
function familyOf(selector: string): Family {
  const ranks = selector.split(ENTER).map((part) => FAMILIES.indexOf(familyOfPart(part)));
  return FAMILIES[Math.max(...ranks)] ?? 'path';
}

function familyOfPart(part: string): Family {
  const bare = part.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  if (STRUCTURAL.test(bare)) {
    return 'path';
  }
  const last = bare.slice(bare.lastIndexOf(' ') + 1);
  const attributes = [...last.matchAll(/\[([\w-]+)/g)].map((match) => match[1] ?? '');
  if (last.startsWith('#') || attributes.some((name) => MARKS.includes(name))) {
    return 'mark';
  }
  if (attributes.some((name) => WORDED.includes(name))) {
    return 'words';
  }
  if (bare.includes(' ')) {
    return 'place';
  }
  // A tag by itself: the only one of the page, for now.
  return attributes.length === 0 ? 'path' : 'attribute';
}

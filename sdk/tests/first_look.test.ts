import { beforeEach, describe, expect, it } from 'vitest';
import { firstLook } from '../src/dom/first_look';
import type { Target } from '../src/dom/matches';
import { resolveTarget } from '../src/dom/resolution';
import { scanPage } from '../src/dom/scanner';
import { wayInTo } from '../src/dom/way_in';
import { showPage, testEnvironment } from './page';

async function learnt(html: string, label: string): Promise<Target> {
  showPage(html);
  const { payload } = await scanPage(testEnvironment(), '/');
  const node = payload.nodes.find((one) => one.label === label);
  if (node === undefined) {
    throw new Error(`nothing is called ${label}`);
  }
  return { selector: node.selector, fallback: node.fallbackSelector ?? '', fingerprint: node.fingerprint ?? '' };
}

beforeEach(() => {
  document.documentElement.lang = 'fr';
});

describe('a first look', () => {
  it.each([
    ['<button id="pay">Payer</button>', 'Payer'],
    ['<a id="pay" href="/p"><svg></svg> Payer  maintenant</a>', 'Payer maintenant'],
    ['<label for="town">Ville</label><input id="town">', 'Ville'],
    ['<input id="town" aria-label="Ville" value="Lyon">', 'Ville'],
    ['<input id="send" type="submit" value="Envoyer">', 'Envoyer'],
  ])('settles %s and agrees with the judge', async (html, label) => {
    const target = await learnt(html, label);
    const found = firstLook(testEnvironment(), target, false);
    expect(found).toMatchObject({ by: 'primary' });
    expect(found).toEqual(resolveTarget(testEnvironment(), target, false));
  });

  it.each([
    ['called otherwise', '<button id="pay">Supprimer</button>'],
    ['there twice', '<button id="pay">Payer</button><button id="pay">Payer</button>'],
    ['named by another', '<button id="pay" aria-labelledby="n">Payer</button><p id="n">Payer plus tard</p>'],
    ['gone', '<p>Payer</p>'],
  ])('leaves to the judge what is %s', async (_, now) => {
    const target = await learnt('<button id="pay">Payer</button>', 'Payer');
    showPage(now);
    expect(firstLook(testEnvironment(), target, true)).toBe('unsure');
  });

  it('leaves to the judge what only stands in its place', async () => {
    const target = await learnt('<main><button>Valider</button><button>Annuler</button></main>', 'Annuler');
    expect(firstLook(testEnvironment(), target, false)).toBe('unsure');
  });

  it('takes the fallback only when it may', () => {
    showPage('<b id="f"></b>');
    const target = { selector: '#gone', fallback: '#f' };
    expect(firstLook(testEnvironment(), target, false)).toBeNull();
    expect(firstLook(testEnvironment(), target, true)).toMatchObject({ by: 'fallback' });
  });
});

describe('the way in to a closed part', () => {
  const DETAILS = '<details><summary>Options</summary><button id="x" data-no-box>Exporter</button></details>';

  it('is the control that opens it, by its name', () => {
    showPage(DETAILS);
    expect(wayInTo(testEnvironment(), { selector: '#x', fallback: '' })).toMatchObject({
      name: 'Options',
      opener: { localName: 'summary' },
    });
  });

  it('is nothing for what is on screen, for what is not there, and for one of several', () => {
    showPage(`${DETAILS}<i class="two" data-no-box></i><i class="two" data-no-box></i><button id="seen">Vu</button>`);
    for (const selector of ['#seen', '#gone', '.two', 'a[', '']) {
      expect(wayInTo(testEnvironment(), { selector, fallback: '' })).toBeNull();
    }
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import type { A11yNode } from '../src/api/wire';
import type { Found, Target } from '../src/dom/matches';
import { resolveTarget } from '../src/dom/resolution';
import { scanPage } from '../src/dom/scanner';
import { showPage, testEnvironment } from './page';

/** Learns the element of `old` with this label, then looks for it in `now`. */
async function foundAfter(old: string, label: string, now: string): Promise<Found | null> {
  return resolveTarget(testEnvironment(), await learnt(old, label, now), true);
}

async function learnt(old: string, label: string, now: string): Promise<Target> {
  showPage(old);
  const { payload } = await scanPage(testEnvironment(), '/');
  const node = payload.nodes.find((one: A11yNode) => one.label === label);
  if (node === undefined) {
    throw new Error(`nothing is called ${label}`);
  }
  showPage(now);
  return { selector: node.selector, fallback: node.fallbackSelector ?? '', fingerprint: node.fingerprint ?? '' };
}

beforeEach(() => {
  document.documentElement.lang = 'fr';
});

describe('a learnt element on a later page', () => {
  it('is taken by its primary selector while it is called the same', async () => {
    const page = '<button id="remise">Ajouter une remise</button>';
    expect(await foundAfter(page, 'Ajouter une remise', page)).toMatchObject({
      by: 'primary',
      element: { id: 'remise' },
    });
  });

  it('is found by its name where its place went to another element', async () => {
    expect(
      await foundAfter(
        '<main><button>Valider</button><button>Annuler</button></main>',
        'Annuler',
        '<main><button>Valider</button><button>Dupliquer</button><p><button id="x">Annuler</button></p></main>',
      ),
    ).toMatchObject({ by: 'healed', element: { id: 'x' } });
  });

  it('is not taken for the one that stands in its place now', async () => {
    expect(
      await foundAfter(
        '<main><button>Valider</button><button>Annuler</button></main>',
        'Annuler',
        '<main><button>Valider</button><button>Supprimer</button></main>',
      ),
    ).toBeNull();
  });

  it('is kept when only its words changed and the page still marks it the same', async () => {
    expect(
      await foundAfter('<button id="envoi">Envoyer</button>', 'Envoyer', '<button id="envoi">Transmettre</button>'),
    ).toMatchObject({ by: 'primary', element: { id: 'envoi' } });
  });

  it('is the one that is called the same, also when its id now stands on another', async () => {
    expect(
      await foundAfter(
        '<button id="action">Archiver</button>',
        'Archiver',
        '<button id="action">Supprimer</button><button id="other">Archiver</button>',
      ),
    ).toMatchObject({ element: { id: 'other' } });
  });

  it('is nobody when two elements could be meant', async () => {
    expect(
      await foundAfter(
        '<main><button>Retirer</button></main>',
        'Retirer',
        '<main><p><button>Retirer</button></p><p><button>Retirer</button></p></main>',
      ),
    ).toBeNull();
  });

  it('is the one in the same row, among many that are called the same', async () => {
    const row = (name: string) => `<tr><th>${name}</th><td><button>Retirer</button></td></tr>`;
    const table = (...names: string[]) => `<table><tbody>${names.map(row).join('')}</tbody></table>`;
    showPage(table('Vase', 'Bol'));
    const { payload } = await scanPage(testEnvironment(), '/');
    const node = payload.nodes.find(({ context }) => context?.row === 'Bol');
    showPage(table('Assiette', 'Vase', 'Bol'));
    const found = resolveTarget(
      testEnvironment(),
      { selector: node?.selector ?? '', fallback: node?.fallbackSelector ?? '', fingerprint: node?.fingerprint ?? '' },
      true,
    );
    expect(found?.element.closest('tr')?.textContent).toBe('BolRetirer');
  });

  it('is found in another language by what the page marks, not by its words', async () => {
    const target = await learnt(
      '<form id="f"><input name="city" aria-label="Ville"><button>Enregistrer</button></form>',
      'Enregistrer',
      '<form id="f"><input name="city" aria-label="City"><button>Save</button></form>',
    );
    document.documentElement.lang = 'en';
    expect(resolveTarget(testEnvironment(), target, true)).toMatchObject({ element: { textContent: 'Save' } });
  });

  it('is known again by its control when a label stands for it', async () => {
    const page = '<label id="cgv">Accepter<input type="checkbox" style="opacity:0"></label>';
    expect(await foundAfter(page, 'Accepter', `<p>Nouveau</p>${page}`)).toMatchObject({
      by: 'primary',
      element: { id: 'cgv' },
    });
  });

  it('does not mind a counter in its name', async () => {
    expect(
      await foundAfter(
        '<nav><a href="/m">Messages (3)</a></nav>',
        'Messages (3)',
        '<nav><p><a href="/m">Messages (12)</a></p></nav>',
      ),
    ).toMatchObject({ by: 'primary' });
  });
});

describe('a fingerprint', () => {
  it('keeps nothing of what is masked, not even as a hash, and nothing of what is private', async () => {
    showPage(
      '<button>Né le 12/05/1987</button><a href="/clients/jean@acme.fr">Client</a>' +
        '<button data-circuy-mask id="durand">Durand</button>',
    );
    const { payload } = await scanPage(testEnvironment(), '/');
    expect(payload.nodes.map(({ fingerprint }) => fingerprint?.split('~').slice(1, 3))).toEqual([
      ['', ''],
      [expect.stringMatching(/^[0-9a-z]+$/), ''],
      ['', ''],
    ]);
  });
});

describe('without a fingerprint', () => {
  it.each([
    ['the one match that people can see', '<b class="x" style="display:none"></b><b class="x" id="seen"></b>', 'seen'],
    ['nobody when there are two', '<b class="x"></b><b class="x"></b>', undefined],
  ])('it is %s', (_, html, id) => {
    showPage(html);
    expect(resolveTarget(testEnvironment(), { selector: '.x', fallback: '' }, true)?.element.id).toBe(id);
  });
});

describe('inside the page', () => {
  it('enters open shadow roots, each with its own selectors', async () => {
    showPage('<x-card id="un"></x-card><x-card id="deux"></x-card>');
    for (const host of document.querySelectorAll('x-card')) {
      host.attachShadow({ mode: 'open' }).innerHTML = `<button>Ouvrir ${host.id}</button>`;
    }
    const { payload } = await scanPage(testEnvironment(), '/');
    expect(payload.nodes.map(({ label, selector }) => [label, selector])).toEqual([
      ['Ouvrir un', '#un >>> button'],
      ['Ouvrir deux', '#deux >>> button'],
    ]);
    const [, second] = payload.nodes;
    const found = resolveTarget(testEnvironment(), { selector: second?.selector ?? '', fallback: '' }, true);
    expect(found?.element.textContent).toBe('Ouvrir deux');
  });
});

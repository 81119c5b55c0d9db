import { afterEach, describe, expect, it, vi } from 'vitest';
import type { A11yNode } from '../src/api/wire';
import { MOST_NODES, scanPage, type Scan } from '../src/dom/scanner';
import { quickEnvironment, showPage, testEnvironment } from './page';

function scan(html: string): Promise<Scan> {
  showPage(html);
  return scanPage(testEnvironment(), '/factures/42');
}

async function nodes(html: string): Promise<A11yNode[]> {
  return (await scan(html)).payload.nodes;
}

async function only(html: string): Promise<A11yNode> {
  const [node, ...others] = await nodes(html);
  expect(others).toEqual([]);
  if (node === undefined) {
    throw new Error('nothing was kept');
  }
  return node;
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('what is kept', () => {
  it.each([
    '<a href="/x">x</a>',
    '<button>x</button>',
    '<input aria-label="x">',
    '<select aria-label="x"></select>',
    '<textarea aria-label="x"></textarea>',
    '<div role="button">x</div>',
    '<div role="menuitemcheckbox">x</div>',
    '<div role="tab">x</div>',
    '<div role="switch">x</div>',
    '<div role="option">x</div>',
    '<div contenteditable aria-label="x"></div>',
    '<details open><summary>x</summary></details>',
  ])('%s, as interactive', async (html) => {
    expect(await only(html)).toMatchObject({ id: 'n1', label: 'x', isInteractive: true });
  });

  it.each(['<h1>x</h1>', '<h3>x</h3>', '<form aria-label="x"></form>'])('%s, as not interactive', async (html) => {
    expect(await only(html)).toMatchObject({ label: 'x', isInteractive: false });
  });

  it.each([
    '<p>x</p>',
    '<h4>x</h4>',
    '<input type="hidden" name="csrf">',
    '<button style="display:none">x</button>',
    '<button style="visibility:hidden">x</button>',
    '<div inert><button>x</button></div>',
    '<button style="pointer-events:none">x</button>',
    '<button data-no-box>x</button>',
    '<div data-circuy-ignore><button>x</button></div>',
    '<circuy-widget><button>x</button></circuy-widget>',
    '<template><button>x</button></template>',
  ])('not %s', async (html) => {
    expect(await nodes(html)).toEqual([]);
  });

  it('keeps a disabled button and says so, even when it takes no pointer', async () => {
    expect((await only('<button disabled style="pointer-events:none">x</button>')).state).toEqual({ disabled: true });
  });

  it('anchors a checkbox drawn by its label on the label', async () => {
    const node = await only('<label id="cgv">Accepter<input type="checkbox" style="opacity:0"></label>');
    expect(node).toMatchObject({ tag: 'input', type: 'checkbox', label: 'Accepter', selector: '#cgv' });
  });

  it('says nothing of what was ticked or chosen', async () => {
    const [radio, tab] = await nodes(
      '<div role="radio" aria-checked="true" tabindex="0">Femme</div><div role="tab" aria-selected="true">Adresse</div>',
    );
    expect(radio?.state).toBeUndefined();
    expect(tab?.state).toEqual({ selected: true });
  });

  it('keeps a link whose picture alone has a box, and anchors it there', async () => {
    const found = await scan('<a href="/a" data-no-box><img id="p" alt="Accueil"></a>');
    expect(found.payload.nodes[0]).toMatchObject({ tag: 'a', label: 'Accueil', selector: '#p' });
  });

  it('keeps the toolbar inside an editor, and nothing that was written there', async () => {
    const found = await nodes(
      '<div contenteditable aria-label="Message"><a href="/secret">secret</a>' +
        '<div contenteditable="false"><button>Gras</button></div></div>',
    );
    expect(found.map(({ label }) => label)).toEqual(['Message', 'Gras']);
  });

  it('keeps what is closed, with what opens it', async () => {
    const [tab, field] = await nodes(
      '<button id="tab-adresse" role="tab" aria-controls="adresse">Adresse</button>' +
        '<div id="adresse" style="display:none"><input name="ville" aria-label="Ville"></div>',
    );
    expect(tab?.state).toBeUndefined();
    expect(field).toMatchObject({ label: 'Ville', state: { closed: true, opener: '#tab-adresse' } });
  });

  it('finds the button of a menu that only stands beside it', async () => {
    const [opener, inside] = await nodes(
      '<div><button id="more" data-bs-toggle="dropdown">Plus</button>' +
        '<div class="dropdown-menu" style="display:none"><a href="/export">Exporter</a></div></div>',
    );
    expect(opener?.label).toBe('Plus');
    expect(inside).toMatchObject({ label: 'Exporter', state: { closed: true, opener: '#more' } });
  });

  it('names what is in a closed part as it will be when it is open', async () => {
    const [, inside] = await nodes(
      '<ul><li><a id="layout" href="#">Mise en page</a>' +
        '<ul style="display:none"><li><a href="/top"><p>Barre du haut</p></a></li></ul></li></ul>',
    );
    expect(inside).toMatchObject({ label: 'Barre du haut', state: { closed: true, opener: '#layout' } });
  });

  it('keeps plain elements that a script made buttons of, when they say what they do', async () => {
    const kept = await nodes(
      '<table><tr><th tabindex="0">Nom</th></tr></table><div onclick="x()" title="Agrandir"></div>' +
        '<div tabindex="0"></div><div tabindex="-1">Fenêtre</div>' +
        `<div tabindex="0">${'Un long passage de texte. '.repeat(9)}</div>`,
    );
    expect(kept.map(({ label, isInteractive }) => [label, isInteractive])).toEqual([
      ['Nom', true],
      ['Agrandir', true],
    ]);
  });

  it('does not take a skip link for an opener of what is hidden further in', async () => {
    const fields = await nodes(
      '<a href="#contenu">Aller au contenu</a><main id="contenu"><button style="display:none">Recalculer</button></main>',
    );
    expect(fields.map(({ label }) => label)).toEqual(['Aller au contenu']);
  });

  it('numbers nodes in document order', async () => {
    expect(
      (await nodes('<h1>A</h1><div><button>B</button></div><a href="/c">C</a>')).map(({ id, label }) => [id, label]),
    ).toEqual([
      ['n1', 'A'],
      ['n2', 'B'],
      ['n3', 'C'],
    ]);
  });
});

describe('what leaves the page', () => {
  it('holds no word of what the author marked as private, and still where it is', async () => {
    const kept = await nodes(
      '<h1>Dossier de <b data-circuy-mask>Camille Roux</b></h1>' +
        '<section id="patient" data-circuy-mask><a href="/patients/roux" title="Roux">Camille Roux</a>' +
        '<h2>Roux</h2><select name="mal"><option>Asthme</option></select><input placeholder="Roux" name="nom"></section>' +
        '<button>Valider</button>',
    );
    expect(kept.map(({ tag, label, selector }) => [tag, label, selector])).toEqual([
      ['h1', 'Dossier de', 'body > h1'],
      ['a', undefined, '#patient a[href]'],
      ['select', undefined, 'select[name="mal"]'],
      ['input', undefined, 'input[name="nom"]'],
      ['button', 'Valider', 'body > button'],
    ]);
    expect(JSON.stringify(kept)).not.toMatch(/Roux|Asthme/i);
  });

  it('is the spec payload', async () => {
    showPage('<button id="go">Valider</button>');
    document.title = 'Facture de alice@example.com';
    const { payload } = await scanPage(testEnvironment(), '/factures/42');
    expect(payload).toEqual({
      urlPattern: '/factures/*',
      pageTitle: 'Facture de [EMAIL]',
      nodes: [
        {
          id: 'n1',
          tag: 'button',
          label: 'Valider',
          role: 'button',
          selector: '#go',
          fallbackSelector: 'body > button',
          fingerprint: expect.stringMatching(/^button~[0-9a-z]+~[0-9a-z]+~~~~$/) as string,
          isInteractive: true,
        },
      ],
    });
  });

  it('never holds what was typed or chosen, and never asks for it', async () => {
    const read = [HTMLInputElement, HTMLTextAreaElement, HTMLSelectElement].map(({ prototype }) =>
      vi.spyOn(prototype, 'value', 'get').mockReturnValue('SECRET'),
    );
    const { payload } = await scan(
      '<label>Rappel dans <input name="n" value="SECRET"> jours</label><textarea name="t">SECRET</textarea>' +
        '<div contenteditable aria-label="Notes">SECRET</div><span id="k">SECRET-LABEL</span>' +
        '<p id="box"><input value="SECRET"></p><input name="z" aria-labelledby="box"><output id="o">SECRET</output>',
    );
    expect(JSON.stringify(payload)).not.toContain('SECRET');
    expect(payload.nodes[0]?.label).toBe('Rappel dans jours');
    for (const spy of read) {
      expect(spy).not.toHaveBeenCalled();
    }
  });

  it('is masked everywhere, and what was masked is counted', async () => {
    const mail = 'alice@example.com';
    const { payload, masked } = await scan(
      `<h2>${mail}</h2><form aria-label="${mail}" id="f"><fieldset><legend>${mail}</legend>` +
        `<input id="u-${mail}" name="${mail}" placeholder="${mail}" title="${mail}">` +
        `<select aria-label="06 12 34 56 78"><option>${mail}</option></select>` +
        `<a href="/clients/${mail}">${mail}</a></fieldset></form>`,
    );
    expect(JSON.stringify(payload)).not.toContain(mail);
    expect(JSON.stringify(payload)).not.toContain('06 12');
    expect(masked).toBe(2);
  });

  it('masks before it cuts: half a number is still a number', async () => {
    expect((await only('<button>Appeler tout de suite le 06 12 34 56 78</button>')).label).toBe(
      'Appeler tout de suite le [SEN…',
    );
  });

  it('takes no more characters than the server does, however many marks a letter carries', async () => {
    const zalgo = ('e' + '\u0301'.repeat(60)).repeat(30);
    expect((await only(`<button>${zalgo}</button>`)).label?.length).toBeLessThanOrEqual(300);
  });

  it('cuts labels at 30 graphemes', async () => {
    expect((await only(`<button>${'é'.repeat(40)}</button>`)).label).toBe(`${'é'.repeat(29)}…`);
  });

  it('stops at 2,000 nodes and says so', async () => {
    showPage('<button>x</button>'.repeat(MOST_NODES + 5));
    const { payload, truncated } = await scanPage(quickEnvironment(), '/', { limits: { bytes: Infinity } });
    expect(payload.nodes).toHaveLength(MOST_NODES);
    expect(truncated).toBe(true);
  });
});

describe('context', () => {
  it('says where an element stands', async () => {
    const found = await nodes(
      '<main><h2>Facturation</h2><form aria-label="Facture"><fieldset><legend>TVA</legend>' +
        '<input type="radio" name="tva" value="20" aria-label="20 %"></fieldset></form></main><button>Aide</button>',
    );
    expect(found.find(({ tag }) => tag === 'input')?.context).toEqual({
      heading: 'Facturation',
      form: 'Facture',
      group: 'TVA',
      landmark: 'main',
    });
    expect(found.find(({ label }) => label === 'Aide')?.context).toBeUndefined();
  });

  it('tells the rows of a table apart', async () => {
    const rows =
      '<tr><td>Vase</td><td><button>Retirer</button></td></tr><tr><th>Bol</th><td><button>Retirer</button></td></tr>';
    expect((await nodes(`<table><tbody>${rows}</tbody></table>`)).map(({ context }) => context?.row)).toEqual([
      'Vase',
      'Bol',
    ]);
  });

  it('gives the first twelve options of a select', async () => {
    const options = Array.from({ length: 20 }, (_, i) => `<option>Choix ${i}</option>`).join('');
    expect((await only(`<select aria-label="x"><optgroup>${options}</optgroup></select>`)).options).toHaveLength(12);
  });
});

describe('pages that change while they are read', () => {
  it('points at nothing that has become ambiguous', async () => {
    showPage('<button id="save">Enregistrer</button><form id="f"><input name="q" aria-label="Chercher"></form>');
    const reading = scanPage({ ...testEnvironment(), watchChanges: () => () => true }, '/');
    document.body.insertAdjacentHTML('afterbegin', '<p><b id="save">Supprimer</b></p>');
    const { payload, failed } = await reading;
    expect(payload.nodes.map(({ label, selector }) => [label, selector])).toEqual([
      ['Enregistrer', 'body > button'],
      [undefined, '#f'],
      ['Chercher', 'input[name="q"]'],
    ]);
    expect(failed).toBe(0);
  });
});

describe('hostile pages', () => {
  it('is not fooled by controls that hide the properties of their form', async () => {
    const names = [
      'id',
      'parentElement',
      'children',
      'localName',
      'attributes',
      'firstElementChild',
      'nextElementSibling',
      'nodeType',
      'getAttribute',
    ];
    const inputs = names.map((name) => `<input name="${name}" aria-label="${name}">`).join('');
    const found = await nodes(`<form id="facture" aria-label="Facture">${inputs}</form><button>Après</button>`);
    expect(found.map(({ label }) => label)).toEqual(['Facture', ...names, 'Après']);
    expect(found[0]?.selector).toBe('#facture');
  });

  it('changes nothing on the page', async () => {
    const html = '<form id="f"><input name="a"><label for="b">B</label><input id="b"></form>';
    await scan(html);
    expect(document.body.innerHTML).toBe(html);
  });
});

import { computeAccessibleName } from 'dom-accessibility-api';
import { afterEach, describe, expect, it } from 'vitest';
import { GeneratedText } from '../src/dom/generated_text';
import { NameWords, tidy } from '../src/dom/name_words';
import situations from '../../tests/scan/accessible_names.json';
import { Names } from '../src/dom/names';
import { holdsChosenValue, isInPrivatePart, isInValue } from '../src/dom/private_words';
import { inputType, roleOf } from '../src/dom/roles';
import { countingEnvironment, showPage, testEnvironment } from './page';

function marked(selector: string): Element {
  const element = document.querySelector(selector);
  if (element === null) {
    throw new Error(`the page has no ${selector}`);
  }
  return element;
}

function labelsOf(control: Element): Element[] {
  return [...((control as Partial<HTMLInputElement>).labels ?? [])];
}

function nameOf(html: string): { ours: string; standard: string } {
  showPage(html);
  const env = testEnvironment();
  const element = marked('[data-here]');
  return {
    ours: new Names(env, labelsOf).of(element),
    standard: computeAccessibleName(element).replace(/\s+/g, ' ').trim(),
  };
}

/** The table that the browser tests compare with Chromium. Shadow roots in markup are for browsers only. */
const SITUATIONS = situations.filter(({ html }) => !html.includes('shadowrootmode'));

describe('accessible names', () => {
  it.each([
    ['<button data-here>Valider <b>tout</b></button>', 'Valider tout'],
    ['<button data-here aria-label="Fermer">×</button>', 'Fermer'],
    ['<span id="a">Date</span><span id="b">de fin</span><input data-here aria-labelledby="a b">', 'Date de fin'],
    [
      '<button data-here id="me" aria-labelledby="me x" aria-label="Supprimer"></button><i id="x" hidden>Vase</i>',
      'Supprimer Vase',
    ],
    ['<label>Pays <select data-here><option>France</option></select></label>', 'Pays'],
    ['<label for="v">Un</label><label for="v">Deux</label><input data-here id="v">', 'Un Deux'],
    ['<a data-here href="/"><img alt="Accueil"></a>', 'Accueil'],
    ['<a data-here href="/"><svg><title>Panier</title></svg></a>', 'Panier'],
    ['<input data-here type="submit" value="Payer">', 'Payer'],
    ['<input data-here type="image" alt="Chercher">', 'Chercher'],
    ['<input data-here title="Code postal">', 'Code postal'],
    ['<fieldset data-here><legend>Livraison</legend><input></fieldset>', 'Livraison'],
    ['<h2 data-here>Mes <em>commandes</em></h2>', 'Mes commandes'],
    ['<button data-here><span aria-hidden="true">★</span> Favori</button>', 'Favori'],
    ['<button data-here><span style="display:none">caché</span>Vu</button>', 'Vu'],
    ['<div data-here role="tab"><div>Onglet</div><div>un</div></div>', 'Onglet un'],
    [
      '<a data-here href="/">Maison Orée<small style="display:block">Épicerie fine</small></a>',
      'Maison Orée Épicerie fine',
    ],
    ['<button data-here><span style="display:inline-block">3</span>commandes</button>', '3 commandes'],
    ['<button data-here>Télé<b>charger</b></button>', 'Télécharger'],
    ['<div data-here role="textbox" contenteditable>texte saisi</div>', ''],
    ['<form data-here aria-label="Facture"></form>', 'Facture'],
  ])('%s', (html, name) => {
    const { ours, standard } = nameOf(html);
    expect(ours).toBe(name);
    expect(ours).toBe(standard);
  });

  it.each([
    ['<label for="v" hidden>Ville</label><input data-here id="v">', 'Ville'],
    ['<input data-here placeholder="Rechercher">', 'Rechercher'],
  ])('as browsers do, further than the library: %s', (html, name) => {
    expect(nameOf(html).ours).toBe(name);
  });

  it('leaves out, on purpose, the value of an embedded control', () => {
    const { ours, standard } = nameOf(
      '<label for="r">Rappel dans <input value="SECRET"> jours</label><input data-here type="checkbox" id="r">',
    );
    expect(standard).toContain('SECRET');
    expect(ours).toBe('Rappel dans jours');
  });

  it('leaves out, on purpose, the chosen value that a scripted control writes in its title', () => {
    expect(nameOf('<span data-here role="combobox" title="SECRET" tabindex="0">SECRET</span>').ours).toBe('');
    expect(nameOf('<input data-here title="Code postal">').ours).toBe('Code postal');
  });
});

describe('roles', () => {
  it.each(SITUATIONS)('$id', ({ html, selector, role }) => {
    showPage(html);
    const element = document.querySelector(selector);
    // Groups that no scan keeps have a role in the standard, and none here.
    expect(element === null ? undefined : roleOf(testEnvironment(), element)).toBe(role);
  });

  it('takes an unknown type of input as text', () => {
    showPage('<input type="bizarre"><input type=" EMAIL "><input>');
    const env = testEnvironment();
    expect([...document.querySelectorAll('input')].map((input) => inputType(env, input))).toEqual([
      'text',
      'email',
      'text',
    ]);
  });
});

describe('what holds a value', () => {
  it.each([
    ['<div role="combobox"></div>', true],
    ['<button aria-haspopup="listbox"></button>', true],
    ['<span role="button" aria-haspopup=" Listbox "></span>', true],
    ['<button aria-haspopup="menu"></button>', false],
    ['<button></button>', false],
    // The title of a native control is its author's.
    ['<select></select>', false],
    ['<input role="combobox" aria-haspopup="listbox">', false],
  ])('in its content and its title: %s is %j', (html, holds) => {
    showPage(html);
    const env = testEnvironment();
    const element = marked('body > *');
    expect(holdsChosenValue(env, element, roleOf(env, element))).toBe(holds);
  });

  it('has its parts private, and what its author marked has too', () => {
    showPage(
      '<div role="listbox"><b></b></div><p data-circuy-ignore><i></i></p><div contenteditable><u></u></div><s></s>',
    );
    const env = testEnvironment();
    const isTold = (selector: string) => !isInValue(env, marked(selector)) && !isInPrivatePart(env, marked(selector));
    expect(['b', 'i', 'u', 's'].map(isTold)).toEqual([false, false, false, true]);
  });
});

describe('words of a name', () => {
  it.each([
    ['  a \n b ', 'a b'],
    ['a\u00a0b', 'a b'],
    ['déjà vu', 'déjà vu'],
    ['\uf0c9 Menu', 'Menu'],
    ['\u{f0349} Menu', 'Menu'],
    ['', ''],
    ['🙂 ok', '🙂 ok'],
  ])('%j is told as %j', (text, told) => {
    expect(tidy(text)).toBe(told);
  });

  it('end somewhere, however long the page goes on', () => {
    showPage(`<button data-here>${'<b>mot </b>'.repeat(2_000)}</button>`);
    const env = testEnvironment();
    const name = new Names(env, () => []).of(marked('[data-here]'));
    expect(name.length).toBeLessThan(2_100);
  });

  it('end soon where it is enough to know that they are many', () => {
    showPage(`<div data-here tabindex="0">${'<p> mot </p>'.repeat(2_000)}</div>`);
    let questions = 0;
    const env = countingEnvironment(() => {
      questions += 1;
    });
    const content = new Names(env, () => []).contentOf(marked('[data-here]'), 80);
    expect(content.length).toBeGreaterThan(80);
    expect(questions).toBeLessThan(1_000);
  });

  it('end somewhere, however many elements say nothing', () => {
    showPage(`<button data-here>${'<b></b>'.repeat(5_000)}fin</button>`);
    let questions = 0;
    const env = countingEnvironment(() => {
      questions += 1;
    });
    expect(new Names(env, () => []).of(marked('[data-here]'))).toBe('');
    expect(questions).toBeLessThan(60_000);
  });

  it.each([
    ['spaces', `<p>un</p>${' \n'.repeat(200)}<p>${' '.repeat(200)}deux</p>`],
    ['glyphs of icon fonts', `<p>un</p><i>${'\ue001'.repeat(200)}</i><p>deux</p>`],
  ])('are told in full when they are few, whatever %s are between', (_, html) => {
    showPage(`<div data-here tabindex="0">${html}</div>`);
    const names = new Names(testEnvironment(), () => []);
    expect(names.contentOf(marked('[data-here]'), 80)).toBe('un deux');
  });

  it('stand apart on both sides when they stand for an element', () => {
    const words = new NameWords(testEnvironment());
    words.add('Un');
    words.addApart('deux');
    words.add('trois');
    expect(words.toString()).toBe('Un deux trois');
  });
});

describe('words from style sheets', () => {
  const sheet = (css: string) => {
    const style = document.createElement('style');
    style.textContent = css;
    document.head.append(style);
  };
  const mayHave = (selector: string) => {
    const generated = new GeneratedText(testEnvironment());
    const element = marked(selector);
    const sheets = generated.sheetsAround(element);
    // As many questions first as reading the rules would cost.
    for (let question = 0; question < 200; question += 1) {
      generated.mayHave(element, sheets);
    }
    return generated.mayHave(element, sheets);
  };

  afterEach(() => {
    document.head.replaceChildren();
  });

  it('are asked for only of elements that a rule is about', () => {
    showPage('<b class="a">x</b><i>y</i>');
    sheet('.a::before { content: "mot" } i::after { content: "" } i::before { content: "\uf0c9" } i { color: red }');
    expect([mayHave('.a'), mayHave('i')]).toEqual([true, false]);
  });

  it('are asked for of every element when there are too many rules to match', () => {
    showPage('<i>y</i>');
    sheet(Array.from({ length: 120 }, (_, number) => `.c${number}::before { content: "mot" }`).join(''));
    expect(mayHave('i')).toBe(true);
  });

  it('are asked for only of elements that a rule is about, however many such rules can be matched', () => {
    showPage('<i>y</i>');
    sheet(Array.from({ length: 80 }, (_, number) => `.c${number}::before { content: "mot" }`).join(''));
    expect(mayHave('i')).toBe(false);
  });
});

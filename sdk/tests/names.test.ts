import { computeAccessibleName } from 'dom-accessibility-api';
import { describe, expect, it } from 'vitest';
import { Names } from '../src/dom/names';
import { PageIndex } from '../src/dom/page_index';
import { showPage, testEnvironment } from './page';

function nameOf(html: string): { ours: string; standard: string } {
  showPage(html);
  const env = testEnvironment();
  const index = new PageIndex(env);
  const element = document.querySelector('[data-here]');
  if (element === null) {
    throw new Error('the page marks no element');
  }
  return {
    ours: new Names(env, (control) => index.labelsOf(control)).of(element),
    standard: computeAccessibleName(element).replace(/\s+/g, ' ').trim(),
  };
}

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

import { describe, expect, it } from 'vitest';
import type { A11yNode } from '../src/api/wire';
import { scanPage } from '../src/dom/scanner';
import { showPage, testEnvironment } from './page';

async function nodes(html: string): Promise<A11yNode[]> {
  showPage(html);
  return (await scanPage(testEnvironment(), '/comptes/42')).payload.nodes;
}

async function labels(html: string): Promise<(string | undefined)[]> {
  return (await nodes(html)).map((node) => node.label);
}

const SPLIT_DATE = `
  <div class="form-row"><div class="flex-container">
    <label>Date d’inscription :</label>
    <p class="datetime">
      Date : <input id="id_date_joined_0" name="date_joined_0"><span>&nbsp;<a href="#">Aujourd’hui</a></span><br>
      Heure : <input id="id_date_joined_1" name="date_joined_1">
    </p>
  </div></div>`;

describe('a field without a name', () => {
  it('is called by the label of the whole and the words before the part', async () => {
    expect(await labels(SPLIT_DATE)).toEqual([
      'Date d’inscription (date)',
      'Aujourd’hui',
      'Date d’inscription (heure)',
    ]);
  });

  it.each([
    ['<div>Montant maximal : <input></div>', 'Montant maximal'],
    ['<dl><dt>Remise</dt><dd><input></dd></dl>', 'Remise'],
    ['<div><label>Pays</label><div><select></select></div></div>', 'Pays'],
    ['<div><input type="checkbox"> Se souvenir de moi</div>', 'Se souvenir de moi'],
    ['<div><select><option value="">-- choisir un état --<option>Payée</select></div>', 'choisir un état'],
    ['<fieldset><legend>Période</legend><div><input></div></fieldset>', 'Période'],
  ])('%s is %s', async (html, label) => {
    expect(await labels(html)).toEqual([label]);
  });

  it('has the name of the list that a script hid to draw it', async () => {
    const [drawn] = await nodes(
      `<label for="s">Statut</label><div><select id="s" style="display:none"></select>
       <span><span role="combobox" tabindex="0">Payée</span></span></div>`,
    );
    expect(drawn).toMatchObject({ role: 'combobox', label: 'Statut' });
  });

  it('has its own label where an earlier field has the same id', async () => {
    const html = '<label for="a">Nom</label><input id="a"><div><label for="a">Numéro</label><input id="a"></div>';
    expect((await labels(html))[1]).toBe('Numéro');
  });

  it('cuts the label of the whole, not what tells its parts apart', async () => {
    expect(await labels('<label>Date de la dernière connexion réussie</label><p>Heure : <input></p>')).toEqual([
      'Date de la dernière… (heure)',
    ]);
  });

  it.each([
    '<label for="a">Nom</label><input id="a"><div><input></div>',
    '<div><label>Nom <input id="a"></label></div><div><div><input></div></div>',
    '<form><label>Titre</label><fieldset><input></fieldset></form>',
    '<label data-circuy-mask>Dossier de Mme Roux</label><p><input></p>',
  ])('is not called by what is another field’s or nobody’s to read: %s', async (html) => {
    const fields = (await nodes(html)).filter(({ tag, label }) => tag === 'input' && label !== 'Nom');
    expect(fields.map(({ label }) => label)).toEqual([undefined]);
  });

  it('is masked like any other words', async () => {
    expect(await labels('<div>camille@exemple.fr : <input></div>')).toEqual(['[EMAIL]']);
  });

  it('keeps the fingerprint of an element without a name: a guide looks for what the page calls it', async () => {
    const [beside] = await nodes('<div>Montant : <input id="m"></div>');
    const [bare] = await nodes('<div><input id="m"></div>');
    expect(beside?.fingerprint).toBe(bare?.fingerprint);
  });

  it('is read without asking what was typed', async () => {
    const [node] = await nodes('<div>Code : <input value="4815"></div>');
    expect(JSON.stringify(node)).not.toContain('4815');
  });
});

describe('a button without a name', () => {
  it.each(['data-bs-original-title', 'data-original-title', 'data-tooltip'])('is called by its %s', async (name) => {
    expect(await labels(`<button ${name}="Archiver"><i></i></button>`)).toEqual(['Archiver']);
  });

  it.each([
    ['<button><i class="fas fa-trash-alt fa-fw"></i></button>', 'icon:trash-alt'],
    ['<a href="#"><span class="bi bi-bell"></span></a>', 'icon:bell'],
    ['<button class="btn icon-pencil"></button>', 'icon:pencil'],
    ['<button><i class="fa fa-lg fa-search"></i></button>', 'icon:search'],
    ['<button name="archive"><i class="fas fa-box"></i></button>', 'archive'],
    ['<button><span><span class="text"><i class="far fa-calendar"></i></span></span></button>', 'icon:calendar'],
    ['<button class="btn btn-sm"></button>', undefined],
    ['<button><i class="bi-plus"></i><i class="bi-dash"></i></button>', undefined],
  ])('%s has the picture’s technical name %s', async (html, name) => {
    expect((await nodes(html)).map((node) => node.name)).toEqual([name]);
  });

  it('has its own name where it has one', async () => {
    expect(await nodes('<button title="Supprimer" class="fa-trash"></button>')).toMatchObject([{ label: 'Supprimer' }]);
  });
});

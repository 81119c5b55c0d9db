import { describe, expect, it, vi } from 'vitest';
import { attributeSelector, escapeIdentifier } from '../src/core/css';
import { Emitter } from '../src/core/emitter';
import { isHiddenOn } from '../src/core/hiding';
import { isGeneratedName } from '../src/core/generated_names';
import { answerLocale, chooseLocale, directionOf, speaker } from '../src/core/locale';
import { messages } from '../src/core/messages';
import { recorderMessages } from '../src/core/recorder_messages';
import { examplesOf, matchesPattern, proposePattern } from '../src/core/routes';
import { cutGraphemes, dropUnstorable, foldSpaces } from '../src/core/text';

describe('route patterns', () => {
  it.each([
    ['/factures/123', '/factures/*'],
    ['/finance/invoices/123/lines/4', '/finance/invoices/*/lines/*'],
    ['/u/550e8400-e29b-41d4-a716-446655440000/edit', '/u/*/edit'],
    ['/c/5f2b8c9d1e4a7b3c', '/c/*'],
    ['/factures/FAC-2026-00412', '/factures/*'],
    ['/app/invoices/new', '/app/invoices/new'],
    ['/maison-oree/commandes/', '/maison-oree/commandes/'],
    ['/v2/clients', '/v2/clients'],
    ['/factures/123?page=2#top', '/factures/*'],
    ['/', '/'],
  ])('%s is proposed as %s', (path, pattern) => {
    expect(proposePattern(path)).toBe(pattern);
  });

  it('covers one segment a star, with or without a slash at the end', () => {
    expect(matchesPattern('/factures/*', '/factures/456/')).toBe(true);
    expect(matchesPattern('/factures/*', '/factures/456/lignes')).toBe(false);
    expect(matchesPattern('/factures/*', '/factures/')).toBe(false);
    expect(matchesPattern('/factures/new', '/factures/123')).toBe(false);
    expect(matchesPattern('/docs/**', '/docs/a/b')).toBe(true);
    expect(matchesPattern('/docs/**', '/docs')).toBe(true);
    expect(matchesPattern('/docs/**', '/')).toBe(false);
    expect(matchesPattern('/**', '/')).toBe(true);
  });

  it('gives the current page and a sibling as examples', () => {
    expect(examplesOf('/factures/*', '/factures/0099')).toEqual(['/factures/0099', '/factures/0100']);
    expect(examplesOf('/factures', '/factures')).toEqual(['/factures']);
    expect(examplesOf('/clients/*', '/factures/1')).toEqual([]);
  });
});

describe('text', () => {
  it('cuts between graphemes, never inside one', () => {
    const family = '👩‍👩‍👧';
    expect(cutGraphemes(family.repeat(5), 3)).toBe(`${family}${family}…`);
    expect(cutGraphemes('e\u0301'.repeat(40), 30)).toBe(`${'e\u0301'.repeat(29)}…`);
    expect(cutGraphemes('x'.repeat(30), 30)).toBe('x'.repeat(30));
  });

  it('folds every kind of space', () => {
    expect(foldSpaces('  Prix\u00a0:\n\t12\u202f€ ')).toBe('Prix : 12 €');
  });

  it('drops what the server cannot store and keeps whole pairs', () => {
    expect(dropUnstorable('a\ud800b\udc00c\u0000😀')).toBe('abc😀');
  });
});

describe('selectors', () => {
  it.each([
    ['a b', 'a\\ b'],
    ['1st', '\\31 st'],
    ['-2', '-\\32 '],
    ['-', '\\-'],
    ['a:b.c', 'a\\:b\\.c'],
    ['été', 'été'],
    ['a\nb', 'a\\a b'],
  ])('escapes the identifier %j', (value, escaped) => {
    expect(escapeIdentifier(value)).toBe(escaped);
    document.body.innerHTML = '';
    const element = document.createElement('p');
    element.id = value;
    document.body.append(element);
    expect(document.querySelector(`#${escapeIdentifier(value)}`)).toBe(element);
  });

  it.each(['plain', 'with "quotes"', 'back\\slash', 'line\nbreak', "it's", ']'])('quotes the value %j', (value) => {
    document.body.innerHTML = '';
    const element = document.createElement('p');
    element.setAttribute('name', value);
    document.body.append(element);
    expect(document.querySelector(attributeSelector('name', value))).toBe(element);
  });
});

describe('generated names', () => {
  it.each([
    ':r3:',
    ':r1:-tab',
    '_r_15p_',
    '«r3»',
    'ember1234',
    'mui-106',
    'radix-42',
    'radix-:r1:',
    'headlessui-menu-button-7',
    'combobox-button-3123',
    'dialog-r1p',
    'css-1d3bbye',
    '24432930',
    '550e8400-e29b-41d4-a716-446655440000',
    'item-5f2b8c9d',
    '',
    'react-select-2-input',
  ])('refuses %j', (name) => {
    expect(isGeneratedName(name)).toBe(true);
  });

  it.each([
    'client-select-dropdown',
    'invoice-discount-input',
    'id_lines-0-product',
    'main',
    'step2',
    'h1-title',
    'address_line_1',
    'facture-remise',
    'menuitem',
    'rc-adresse',
    'email',
    'id_vat_rate',
    'order-ref',
  ])('accepts %j', (name) => {
    expect(isGeneratedName(name)).toBe(false);
  });
});

describe('language', () => {
  it('chooses the first wish that it speaks, else French', () => {
    expect(chooseLocale([undefined, 'de', 'en-GB', 'fr'])).toBe('en');
    expect(chooseLocale(['fr_CA'])).toBe('fr');
    expect(chooseLocale([null, 'de'])).toBe('fr');
  });

  it('speaks what it was given a dictionary for, the nearest one first', () => {
    expect(chooseLocale(['de-AT', 'fr'], ['de'])).toBe('de');
    expect(chooseLocale(['pt-BR'], ['pt', 'pt-BR'])).toBe('pt-BR');
    expect(chooseLocale(['it', 'en'], ['de'])).toBe('en');
  });

  it('says in English what a dictionary leaves out, and in its own words what it holds', () => {
    const say = speaker(messages, 'de', { send: 'Senden' });
    expect(say('send')).toBe('Senden');
    expect(say('close')).toBe('Close');
    expect(speaker(messages, 'fr-CA', { close: 'Fermer ça' })('close')).toBe('Fermer ça');
  });

  it('is answered in French or English, else as the organization likes', () => {
    expect([answerLocale('fr-CA'), answerLocale('en'), answerLocale('de')]).toEqual(['fr', 'en', null]);
    expect([directionOf('ar-EG'), directionOf('fr')]).toEqual(['rtl', 'ltr']);
  });

  it('fills sentences in', () => {
    expect(speaker(messages, 'fr')('stepsMany', { count: 3 })).toBe('3 étapes');
    expect(speaker(messages, 'fr')('rateQuestion')).toBe('C’est fait\u00a0?');
    expect(speaker(recorderMessages, 'fr')('review', { name: 'A ? b' })).toBe('Relire «\u00a0A ? b\u00a0»');
    expect(speaker(messages, 'en')('rateQuestion')).toBe('All done?');
  });

  it("keeps the contract's sentence when nothing fits", () => {
    expect(messages.fr.notFound).toBe("Désolé, je n'ai pas trouvé l'élément correspondant sur cette page.");
    expect(messages.en.notFound).toBe("Sorry, I couldn't find the matching element on this page.");
  });

  it.each([messages, recorderMessages])('has the same holes to fill in both languages', ({ fr, en }) => {
    const holes = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();
    for (const [key, text] of Object.entries(fr)) {
      expect(holes((en as Record<string, string>)[key] ?? ''), key).toEqual(holes(text));
    }
  });
});

describe('pages without the widget', () => {
  it.each([
    ['/pay', '/pay', true],
    ['/pay', '/pay/', true],
    ['/pay', '/pay/card', false],
    ['/pay/**', '/pay', true],
    ['/pay/**', '/pay/card/3', true],
    ['/pay/**', '/payments', false],
    ['/orders/*/print', '/orders/42/print', true],
    ['/orders/*/print', '/orders/42', false],
    ['/**', '/', true],
    ['/', '/pay', false],
  ])('%s stands for %s: %s', (pattern, path, expected) => {
    expect(isHiddenOn(['/other', pattern], path)).toBe(expected);
  });
});

describe('emitter', () => {
  it('goes on when a listener throws, and forgets those that left', () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const emitter = new Emitter<{ said: string }>();
    const heard: string[] = [];
    emitter.on('said', () => {
      throw new Error('broken listener');
    });
    const leave = emitter.on('said', (text) => heard.push(text));
    emitter.emit('said', 'one');
    leave();
    emitter.emit('said', 'two');
    expect(heard).toEqual(['one']);
    expect(error).toHaveBeenCalledTimes(2);
    error.mockRestore();
  });
});

import { describe, expect, it } from 'vitest';
import { compileExtra } from '../src/core/masking/extra';
import { Cleaning } from '../src/dom/cleaning';
import { Locators } from '../src/dom/locators';
import { PageIndex } from '../src/dom/page_index';
import { countingEnvironment, showPage, testEnvironment } from './page';

const { isClean } = new Cleaning([]);

function locate(html: string, mark = '[data-here]') {
  showPage(html);
  const env = testEnvironment();
  const element = document.querySelector(mark);
  const locator = element === null ? null : new Locators(env, PageIndex.of(env, document), isClean).of(element);
  for (const selector of [locator?.selector, locator?.fallback]) {
    if (selector !== null && selector !== undefined) {
      expect([...document.querySelectorAll(selector)], selector).toEqual([element]);
    }
  }
  return locator;
}

describe('locators', () => {
  it("chooses as the spec's example does", () => {
    expect(locate('<select data-here id="client-select-dropdown" name="clientId"></select>')).toEqual({
      selector: '#client-select-dropdown',
      fallback: 'select[name="clientId"]',
    });
    expect(locate('<input data-here data-testid="invoice-discount-input" name="discount">')).toEqual({
      selector: '[data-testid="invoice-discount-input"]',
      fallback: 'input[name="discount"]',
    });
  });

  it.each([':r3:', '_r_15p_', 'ember1234', 'mui-106', 'radix-42', 'css-1d3bbye', '24432930'])(
    'never rests on the generated id %s',
    (id) => {
      const locator = locate(`<main id="main"><input data-here id="${id}" name="ville"></main>`);
      expect(locator).toEqual({ selector: 'input[name="ville"]', fallback: '#main input:not([type])' });
    },
  );

  it('never rests on an id that two elements share', () => {
    expect(locate('<p id="dup"></p><button data-here id="dup" name="go">x</button>')?.selector).toBe(
      'button[name="go"]',
    );
  });

  it.each(['a b', 'a.b', 'a:b', 'a"b', "a'b", 'a>b', 'été-ü', 'a\\b', 'a\nb'])('finds the odd id %j again', (id) => {
    showPage('<button data-here>x</button>');
    document.querySelector('button')?.setAttribute('id', id);
    const env = testEnvironment();
    const element = document.querySelector('button') as Element;
    const locator = new Locators(env, PageIndex.of(env, document), isClean).of(element);
    expect(document.querySelector(locator?.selector ?? 'none')).toBe(element);
    expect(locator?.selector.startsWith('#')).toBe(true);
  });

  it('tells radios of one name apart by what the page wrote in them', () => {
    expect(
      locate('<input type="radio" name="tva" value="20"><input data-here type="radio" name="tva" value="5.5">')
        ?.selector,
    ).toBe('input[name="tva"][value="5.5"]');
  });

  it('tells fields of one name apart by their forms', () => {
    const html = '<form id="search"><input name="q"></form><form id="filter"><input data-here name="q"></form>';
    expect(locate(html)?.selector).toBe('#filter input[name="q"]');
  });

  it('does not rest on links to one record, nor on personal data', () => {
    expect(locate('<nav id="nav"><a data-here href="/clients/42">x</a></nav>')?.selector).toBe('#nav a[href]');
    expect(locate('<a data-here href="/clients">x</a>')?.selector).toBe('a[href="/clients"]');
    expect(locate('<nav id="nav"><a data-here title="a@b.fr" id="x-a@b.fr">x</a></nav>')?.selector).toBe('#nav > a');
  });

  it('does not rest on what the organization masks', () => {
    showPage('<nav id="nav"><button title="Ouvrir CLI-2041">x</button></nav>');
    const env = testEnvironment();
    const { isClean: isCleanHere } = new Cleaning(compileExtra(['CLI-####']));
    const button = document.querySelector('button') as Element;
    expect(JSON.stringify(new Locators(env, PageIndex.of(env, document), isCleanHere).of(button))).not.toContain(
      '2041',
    );
  });

  it('prefers what lasts through a change of language to words', () => {
    expect(locate('<input data-here name="ville" placeholder="Ville">')).toEqual({
      selector: 'input[name="ville"]',
      fallback: 'input[placeholder="Ville"]',
    });
  });

  it('says where a control is without counting, when it is the only one of its sort there', () => {
    expect(
      locate('<div id="recherche"><p><input type="search"></p><button data-here>x</button></div><button>y</button>'),
    ).toEqual({ selector: '#recherche button', fallback: 'body > div > button' });
  });

  it('counts where there are several of a sort', () => {
    expect(locate('<div id="lignes"><button>x</button><button data-here>y</button></div>')).toEqual({
      selector: '#lignes > button:nth-of-type(2)',
      fallback: null,
    });
  });

  it('keeps to what does not break together: a name and a place, not a name twice', () => {
    expect(locate('<form id="f"><input data-here name="ville" autocomplete="address-level2"></form>')).toEqual({
      selector: 'input[name="ville"]',
      fallback: 'input[autocomplete="address-level2"]',
    });
  });

  it.each([
    [
      'a query in an action',
      '<form action="?patient=Dupont"><input data-here name="a"></form><form><input name="a"></form>',
    ],
    ['a query in a value', '<button data-here data-action="open?nom=Durand">x</button>'],
    ['half a character', '<button data-here data-testid="a\ud800b">x</button>'],
  ])('never rests on %s', (_, html) => {
    expect(JSON.stringify(locate(html))).not.toMatch(/Dupont|Durand|testid|aria-label/);
  });

  it('calls a type that browsers do not know by no name', () => {
    expect(locate('<form id="f"><input data-here type="phone"></form>')?.selector).toBe('#f > input');
  });

  it.each([
    'mat-input-3',
    'j_idt45:nom',
    'textfield-1023-inputEl',
    'input-42',
    'pn_id_12',
    '__BVID__42',
    'rc_select_0',
    'id1a',
  ])('takes the counted id %s for generated', (id) => {
    expect(locate(`<button data-here id="${id}">x</button>`)?.selector).toBe('body > button');
  });

  it('is linear: ten times the page asks the page ten times as much', () => {
    const questionsAsked = (rows: number) => {
      showPage(`<ul>${'<li><button>x</button><a href="/a">y</a></li>'.repeat(rows)}</ul>`);
      let asked = 0;
      const env = countingEnvironment(() => (asked += 1));
      const locators = new Locators(env, PageIndex.of(env, document), isClean);
      for (const button of document.querySelectorAll('button')) {
        locators.of(button);
      }
      return asked;
    };
    expect(questionsAsked(400) / questionsAsked(40)).toBeLessThan(11);
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import type { A11yNode, Guide, Step } from '../src/api/wire';
import { scanPage } from '../src/dom/scanner';
import { forgetPreview, hasEnded, noteEnded, takePreviewToken } from '../src/preview/entrance';
import { Choices } from '../src/preview/choices';
import { isWorrying, sightsOf } from '../src/preview/states';
import { strengthOf } from '../src/preview/strength';
import { showPage, testEnvironment } from './page';

beforeEach(() => {
  sessionStorage.clear();
  history.replaceState(null, '', '/factures');
});

describe('the way in for a reviewer', () => {
  const token = '0190c0de-0000-7000-8000-000000000001.WyJhIl0:1tA:sig_-x';

  it('takes the token out of the address, and this tab keeps it', () => {
    history.replaceState(null, '', `/factures/42?tab=1#circuy-preview=${token}`);
    expect(takePreviewToken()).toBe(token);
    expect(location.href.endsWith('/factures/42?tab=1')).toBe(true);
    expect(takePreviewToken()).toBe(token);
  });

  it('is closed once the try-out is left', () => {
    history.replaceState(null, '', `/factures#circuy-preview=${token}`);
    takePreviewToken();
    noteEnded(token);
    forgetPreview();
    expect(takePreviewToken()).toBeNull();
    expect(hasEnded(token)).toBe(false);
  });

  it('knows which version was walked to its end', () => {
    noteEnded(token);
    expect(hasEnded(token)).toBe(true);
    expect(hasEnded('another')).toBe(false);
  });

  it('leaves other fragments alone', () => {
    for (const other of ['#lignes', '#circuy-preview=', '#circuy-preview=a!b', '#circuy-record=abc']) {
      history.replaceState(null, '', `/factures${other}`);
      expect(takePreviewToken()).toBeNull();
      expect(location.hash).toBe(other);
    }
  });
});

describe('how long a locator is likely to hold', () => {
  it.each([
    ['#remise', '', 'strong'],
    ['[data-testid="discount"]', '', 'strong'],
    ['input[name="discount"]', '', 'strong'],
    ['input[name="vat"][value="20"]', '', 'strong'],
    ['form[action="/x"] input[name="discount"]', '', 'strong'],
    ['#search button', 'main > div > button:nth-of-type(2)', 'medium'],
    ['a[href="/clients"]', '', 'medium'],
    ['button[aria-label="Aide > ici"]', '', 'medium'],
    ['main > div:nth-of-type(2) > button', '', 'fragile'],
    ['h1', '', 'fragile'],
    ['main > form > input:nth-of-type(3)', '#form input[type="date"]', 'medium'],
    ['div:nth-of-type(3):not(* > *) >>> #inside', '', 'fragile'],
    ['#shell >>> #inside', '', 'strong'],
  ])('%s, else %s: %s', (selector, fallback, strength) => {
    expect(strengthOf(selector, fallback, false)).toBe(strength);
  });

  it('is strong by a name that no other element has', () => {
    expect(strengthOf('main > button:nth-of-type(2)', '', true)).toBe('strong');
  });
});

async function choicesOf(html: string): Promise<Choices> {
  showPage(html);
  const env = testEnvironment();
  return new Choices(env, await scanPage(env, '/factures'));
}

function at(choices: Choices, selector: string): string {
  const element = document.querySelector(selector);
  const sight = element === null ? null : choices.at(element);
  return sight === null ? 'nothing of the page' : 'refusal' in sight ? sight.refusal : (sight.choice.node.label ?? '');
}

describe('what can be chosen', () => {
  it('is what is under the pointer, or what that is a part or the label of', async () => {
    const choices = await choicesOf(
      '<label for=r>Remise</label><input id=r><button id=save><span id=inner>Enregistrer</span></button>',
    );
    expect(at(choices, '#inner')).toBe('Enregistrer');
    expect(at(choices, '#r')).toBe('Remise');
    expect(at(choices, 'label')).toBe('Remise');
    expect(at(choices, 'body')).toBe('nothing');
  });

  it('is nothing that the page keeps for itself, even inside something that is not', async () => {
    const choices = await choicesOf(`<form aria-label=Formulaire>
      <div data-circuy-ignore><button id=a>Secret</button></div><div data-circuy-mask><button id=b>Jean</button></div>
      <label>Mot de passe <input id=c type=password></label><button id=d>Valider</button></form>`);
    expect(['#a', '#b', '#c', '#d'].map((one) => at(choices, one))).toEqual([
      'ignored',
      'masked',
      'password',
      'Valider',
    ]);
  });

  it('is nothing of ours', async () => {
    expect(at(await choicesOf('<circuy-preview></circuy-preview><button>Un</button>'), 'circuy-preview')).toBe(
      'nothing of the page',
    );
  });

  it('is nothing that only somebody’s own data finds', async () => {
    const choices = await choicesOf('<a href="mailto:jean.dupont@example.fr" id="jean.dupont@example.fr">Écrire</a>');
    const element = document.querySelector('a');
    const sight = element === null ? null : choices.at(element);
    const found = sight !== null && 'choice' in sight ? sight.choice.node.selector : '';
    expect(found).not.toContain('jean');
  });

  it('is reached from one to the next, into what holds others and out of it', async () => {
    const choices = await choicesOf(
      '<h1>Facture</h1><form aria-label=F><input id=a><input id=b></form><button>Un</button>',
    );
    const { first } = choices;
    const form = first === null ? null : choices.beside(first, 1);
    const field = form === null ? null : choices.child(form);
    const next = field === null ? null : choices.beside(field, 1);
    expect([first, form, field, next].map((choice) => choice?.element.localName)).toEqual([
      'h1',
      'form',
      'input',
      'input',
    ]);
    expect(next?.element.id).toBe('b');
    expect(next === null ? null : choices.beside(next, 1)).toBeNull();
    expect(next === null ? null : choices.parent(next)).toBe(form);
    expect(first === null ? null : choices.beside(first, -1)).toBeNull();
  });

  it('goes through open shadow roots', async () => {
    showPage('<div id=host></div>');
    const root = document.querySelector('#host')?.attachShadow({ mode: 'open' });
    if (root !== undefined) {
      root.innerHTML = '<button><b>Dedans</b></button>';
    }
    const env = testEnvironment();
    const choices = new Choices(env, await scanPage(env, '/factures'));
    const inner = root?.querySelector('b') ?? document.body;
    const sight = choices.at(inner);
    expect(sight !== null && 'choice' in sight && sight.choice.node.label).toBe('Dedans');
  });
});

function step(selector: string, more: Partial<Step> = {}): Step {
  return {
    attachTo: { element: selector, on: 'bottom' },
    fallback_selector: '',
    title: '',
    text: '',
    buttons: [],
    ...more,
  };
}

function statesOf(...steps: Step[]): string[] {
  const guide: Guide = { tour_id: null, status: 'ephemeral', source: 'history', title: '', steps };
  return sightsOf(testEnvironment(), guide, { pathname: '/factures', hash: '' }).map(({ state }) => state);
}

describe('how the steps of a guide find their elements', () => {
  it('is told for each of them at once', () => {
    showPage('<main><input id=a name=a><input class=x><input class=x></main>');
    expect(
      statesOf(
        step('#a'),
        step('#gone', { fallback_selector: 'input[name=a]' }),
        step('.x'),
        step('#gone'),
        step('#a', { route: '/clients' }),
        step('main > input:nth-of-type(1)'),
      ),
    ).toEqual(['primary', 'fallback', 'ambiguous', 'missing', 'elsewhere', 'fragile']);
  });

  it('tells an element that was recognised without its selectors', async () => {
    showPage('<button id=old>Créer la facture</button>');
    const env = testEnvironment();
    const [node] = (await scanPage(env, '/factures')).payload.nodes as [A11yNode];
    showPage('<p>Autre chose</p><button>Créer la facture</button>');
    expect(statesOf(step(node.selector, { fingerprint: node.fingerprint ?? '' }))).toEqual(['healed']);
  });

  it('worries about what may fail on a user’s page', () => {
    expect((['primary', 'closed', 'elsewhere'] as const).some(isWorrying)).toBe(false);
    expect((['fragile', 'fallback', 'healed', 'ambiguous', 'missing'] as const).every(isWorrying)).toBe(true);
  });
});

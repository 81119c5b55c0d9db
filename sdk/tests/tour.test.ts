import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Guide, Step } from '../src/api/wire';
import { addressOf, isOn, nextStepOn, stepToResume } from '../src/tour/itinerary';
import { isGuideKept, keepGuide, takeGuide } from '../src/tour/kept_guide';
import { markedText } from '../src/tour/marks';
import { sideFor } from '../src/tour/placement';

function guide(...routes: string[]): Guide {
  const steps = routes.map((route): Step => ({
    attachTo: { element: '#x', on: 'bottom' },
    fallback_selector: '',
    title: '',
    text: '',
    buttons: [],
    route,
  }));
  return { tour_id: null, status: 'published', source: 'published', title: '', steps };
}

const at = (pathname: string, hash = '') => ({ pathname, hash });

describe('the page of a step', () => {
  it.each([
    ['/orders', at('/orders/'), true],
    ['/orders/*', at('/orders/12'), true],
    ['/orders/*', at('/orders'), false],
    ['/app#/new', at('/app', '#/new'), true],
    ['/app#/new', at('/app', '#/old'), false],
    ['#/orders/*', at('/anything', '#/orders/7'), true],
  ])('%s is at %j: %s', (route, place, expected) => {
    expect(isOn(route, place)).toBe(expected);
  });

  it('has an address when it is one page of this site', () => {
    const origin = 'https://shop.example';
    expect(addressOf('/orders/new', origin)).toBe('https://shop.example/orders/new');
    for (const route of [
      '/orders/*',
      '//evil.example',
      'javascript:1',
      'https://evil.example/',
      '/\\evil.example',
      '',
    ]) {
      expect(addressOf(route, origin)).toBeNull();
    }
  });
});

describe('where a guide goes on', () => {
  const across = guide('', '/orders/new', '/orders/new', '/done');

  it('is the step that was shown, while the page is its own', () => {
    expect(stepToResume(across, 0, '/orders', at('/orders'))).toBe(0);
    expect(stepToResume(across, 2, '/orders', at('/orders/new'))).toBe(2);
  });

  it('is the next step that belongs to the new page', () => {
    expect(stepToResume(across, 0, '/orders', at('/orders/new'))).toBe(1);
    expect(stepToResume(across, 1, '/orders', at('/done'))).toBe(3);
    expect(nextStepOn(across, 2, at('/orders/new'))).toBe(2);
  });

  it('is nowhere on a page of no later step, and with a step that is none', () => {
    expect(stepToResume(across, 0, '/orders', at('/help'))).toBe(-1);
    expect(stepToResume(across, 3, '/orders', at('/orders/new'))).toBe(-1);
    expect(stepToResume(across, 9, '/orders', at('/orders'))).toBe(-1);
    expect(stepToResume(across, -1, '/orders', at('/orders'))).toBe(-1);
  });
});

describe('a kept guide', () => {
  const kept = { guide: guide('/a'), index: 0, home: '/a' };

  beforeEach(() => {
    sessionStorage.clear();
  });

  it('is there for the next page, once', () => {
    expect(isGuideKept()).toBe(false);
    keepGuide(kept);
    expect(isGuideKept()).toBe(true);
    expect(takeGuide()).toMatchObject(kept);
    expect(takeGuide()).toBeNull();
  });

  it('is of no use after half an hour, nor from a clock that was wrong', () => {
    for (const minutes of [31, -1]) {
      keepGuide(kept);
      const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + minutes * 60_000);
      expect(takeGuide()).toBeNull();
      clock.mockRestore();
    }
  });

  it('does without storage where the page may have none', () => {
    const refused = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('no', 'QuotaExceededError');
    });
    keepGuide(kept);
    refused.mockRestore();
    expect(takeGuide()).toBeNull();
  });
});

describe('marks in a text', () => {
  const html = (text: string) => {
    const element = document.createElement('p');
    element.append(...markedText(text));
    return element.innerHTML;
  };

  it.each([
    ['Cliquez sur **Payer**.', 'Cliquez sur <strong>Payer</strong>.'],
    ['Tapez `a **b**`', 'Tapez <code>a **b**</code>'],
    ['Un\nDeux\r\nTrois', 'Un<br>Deux<br>Trois'],
    ['2 ** 3 ** 4, a*b*c, **, ****, ` `` `', '2 ** 3 ** 4, a*b*c, **, ****, ` `` `'],
    ['**<img src=x onerror=alert(1)>**', '<strong>&lt;img src=x onerror=alert(1)&gt;</strong>'],
    ['', ''],
  ])('%j', (text, expected) => {
    expect(html(text)).toBe(expected);
  });
});

describe('the side of a card', () => {
  const room = { width: 1280, height: 860 };

  it.each([
    ['bottom', { left: 600, top: 400, width: 80, height: 30 }, 'bottom'],
    ['right', { left: 600, top: 400, width: 80, height: 30 }, 'right'],
    ['left', { left: 20, top: 400, width: 80, height: 30 }, 'left'],
    ['right', { left: 356, top: 300, width: 888, height: 34 }, 'bottom'],
    ['bottom', { left: 0, top: 0, width: 250, height: 860 }, 'right'],
    ['bottom', { left: 0, top: 0, width: 1280, height: 860 }, 'bottom'],
    ['nowhere', { left: 600, top: 400, width: 80, height: 30 }, 'bottom'],
  ])('wanted %s of %j is %s', (wanted, target, side) => {
    expect(sideFor(wanted, target, room)).toBe(side);
  });
});

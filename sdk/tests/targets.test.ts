import { beforeEach, describe, expect, it, vi } from 'vitest';
import { resolveTarget } from '../src/dom/resolution';
import { FALLBACK_AFTER_MS, lookFor } from '../src/dom/targets';
import { watchForTarget } from '../src/dom/waiting';
import { showPage, testEnvironment } from './page';

const never = new AbortController().signal;

function look(selector: string, fallback = '', signal = never) {
  return lookFor(testEnvironment(), { selector, fallback }, signal);
}

function later(ms: number, change: () => void): void {
  setTimeout(change, ms);
}

beforeEach(() => {
  showPage('');
});

describe('looking for a target', () => {
  it('takes the first match that people can see', async () => {
    showPage(
      '<button class="dup" style="display:none"></button><button class="dup" data-no-box></button><button class="dup" id="seen"></button>',
    );
    expect((await look('.dup'))?.element.id).toBe('seen');
  });

  it('waits for a primary that comes late rather than take the fallback', async () => {
    showPage('<button id="fallback"></button>');
    later(200, () => {
      document.body.insertAdjacentHTML('beforeend', '<button id="late"></button>');
    });
    expect(await look('#late', '#fallback')).toMatchObject({ by: 'primary', element: { id: 'late' } });
  });

  it('takes the fallback when the primary stays away', async () => {
    showPage('<button id="fallback"></button>');
    const started = performance.now();
    expect(await look('#gone', '#fallback')).toMatchObject({ by: 'fallback' });
    expect(performance.now() - started).toBeGreaterThanOrEqual(FALLBACK_AFTER_MS - 5);
  });

  it('takes the fallback when its timer says so, even if that fires early by the clock', async () => {
    showPage('<button id="fallback"></button>');
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
    expect(await look('#gone', '#fallback')).toMatchObject({ by: 'fallback' });
    clock.mockRestore();
  });

  it('notices an element that becomes visible', async () => {
    showPage('<button id="x" style="display:none"></button>');
    later(100, () => {
      document.querySelector('#x')?.removeAttribute('style');
    });
    expect((await look('#x'))?.element.id).toBe('x');
  });

  it('finds nothing, after a while, rather than something else', async () => {
    showPage('<button id="other"></button>');
    expect(await look('#gone', '')).toBeNull();
  });

  it.each([':r3:', '#', 'a[', '>>>', ''])('is not thrown by the selector %j', async (selector) => {
    showPage('<button id="x"></button>');
    expect((await look(selector, '#x'))?.by).toBe('fallback');
  });

  it('never takes our own elements', async () => {
    showPage('<circuy-widget id="w"></circuy-widget><button id="b"></button>');
    expect((await look('circuy-widget', '#b'))?.element.id).toBe('b');
  });

  it('stops when told', async () => {
    const search = new AbortController();
    const found = look('#gone', '', search.signal);
    search.abort();
    expect(await found).toBeNull();
  });
});

describe('watching for a target that was missing', () => {
  it('tells once, when it is there', async () => {
    const found: string[] = [];
    const stop = watchForTarget(
      () => resolveTarget(testEnvironment(), { selector: '#x', fallback: '' }, true),
      ({ element }) => found.push(element.id),
    );
    document.body.append('a change');
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect(found).toEqual([]);
    showPage('<button id="x"></button>');
    await vi.waitFor(() => {
      expect(found).toEqual(['x']);
    }, 3_000);
    document.body.append('another');
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(found).toEqual(['x']);
    stop();
  });

  it('does not look at every change of a page that never rests', async () => {
    let looks = 0;
    const stop = watchForTarget(
      () => {
        looks += 1;
        return null;
      },
      () => undefined,
    );
    for (let i = 0; i < 50; i += 1) {
      document.body.append('.');
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    stop();
    expect(looks).toBeGreaterThan(0);
    expect(looks).toBeLessThan(10);
  });
});

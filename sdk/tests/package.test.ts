// @vitest-environment node
import { expect, it, vi } from 'vitest';

vi.stubGlobal('SDK_VERSION', '9.9.9');

it('can be imported where there is no page, and does nothing there', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { Circuy, default: same } = await import('../src/entry/package');
  expect(same).toBe(Circuy);
  expect(Circuy.version).toBe('9.9.9');
  await expect(Circuy.ask('Comment ?')).resolves.toBeNull();
  expect(error.mock.calls).toEqual([['Circuy.ask: call Circuy.init({ key }) first.']]);
});

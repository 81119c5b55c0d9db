const LONGEST = 600;

/**
 * What an administration's link carries behind `#circuy-<name>=`, which is taken out of the address at once: it must not
 * be copied, bookmarked or logged. Null when the address carries no such thing.
 */
export function takeFragment(name: string): string | null {
  const prefix = `#circuy-${name}=`;
  const { hash } = location;
  // Almost no page carries one: a pattern would cost each of them more than this comparison.
  const carried = hash.startsWith(prefix) ? hash.slice(prefix.length) : '';
  if (carried === '' || carried.length > LONGEST || /[^\w.:-]/.test(carried)) {
    return null;
  }
  history.replaceState(history.state, '', location.pathname + location.search);
  return carried;
}

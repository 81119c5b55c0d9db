/**
 * What an administration's link carries behind `#circuy-<name>=`, which is taken out of the address at once: it must not
 * be copied, bookmarked or logged. Null when the address carries no such thing.
 */
export function takeFragment(name: string): string | null {
  const carried = new RegExp(`^#circuy-${name}=([\\w.:-]{1,600})$`).exec(location.hash)?.[1];
  if (carried === undefined) {
    return null;
  }
  history.replaceState(history.state, '', location.pathname + location.search);
  return carried;
}

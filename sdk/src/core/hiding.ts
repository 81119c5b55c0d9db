/** Pages that go without the widget: `/pay/**`, `/orders/*\/print`. */

/** Whether one of `patterns` covers `path`: `*` is one part of it, `**` at the end is all that follows, or nothing. */
export function isHiddenOn(patterns: readonly string[], path: string): boolean {
  const given = partsOf(path);
  return patterns.some((pattern) => {
    const wanted = partsOf(pattern);
    const isOpen = wanted.at(-1) === '**';
    if (isOpen) {
      wanted.pop();
    }
    return (
      (isOpen ? given.length >= wanted.length : given.length === wanted.length) &&
      wanted.every((part, index) => part === '*' || part === given[index])
    );
  });
}

function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '');
}

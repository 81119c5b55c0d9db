/**
 * JSON of plain data, whatever the page did to the language: old libraries give arrays and objects a `toJSON` of their
 * own, which `JSON.stringify` would follow.
 */
const stringify = JSON.stringify.bind(JSON);

/** `value` as JSON: what is undefined is left out of objects and null in arrays, as usual. */
export function serialize(value: unknown): string {
  if (typeof value !== 'object' || value === null) {
    return value === undefined ? 'null' : stringify(value);
  }
  const parts: string[] = [];
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) {
      parts[parts.length] = serialize(item);
    }
    return `[${parts.join(',')}]`;
  }
  for (const key of Object.keys(value)) {
    const part = (value as Record<string, unknown>)[key];
    if (part !== undefined) {
      parts[parts.length] = `${stringify(key)}:${serialize(part)}`;
    }
  }
  return `{${parts.join(',')}}`;
}

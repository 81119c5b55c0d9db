/** Writing CSS selectors. Our own escape, so that neither an old engine nor a page that patched `CSS` changes them. */

// Nearly all names are plain: they are recognised at once and kept as they are.
const PLAIN_IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_-]*$/;
// eslint-disable-next-line no-control-regex -- control characters are what must be escaped
const NEEDS_ESCAPE = /["\\\u0000-\u001f\u007f]|>>>/;

/** `value` as a CSS identifier (CSSOM, "serialize an identifier"). */
export function escapeIdentifier(value: string): string {
  if (PLAIN_IDENTIFIER.test(value)) {
    return value;
  }
  let out = '';
  for (let i = 0; i < value.length; i += 1) {
    const char = value.charAt(i);
    const code = value.charCodeAt(i);
    if (code === 0) {
      out += '\ufffd';
    } else if (isControl(code) || (isDigit(code) && (i === 0 || (i === 1 && value.startsWith('-'))))) {
      out += `\\${code.toString(16)} `;
    } else if (i === 0 && char === '-' && value.length === 1) {
      out += '\\-';
    } else if (code >= 0x80 || isDigit(code) || /[A-Za-z_-]/.test(char)) {
      out += char;
    } else {
      out += `\\${char}`;
    }
  }
  return out;
}

/** `value` between double quotes, as CSS reads it. Never holds ">>>", which enters a tree inside the page. */
function quoteString(value: string): string {
  if (!NEEDS_ESCAPE.test(value)) {
    return `"${value}"`;
  }
  let out = '"';
  for (const char of value) {
    const code = char.charCodeAt(0);
    if (char === '"' || char === '\\') {
      out += `\\${char}`;
    } else {
      out += isControl(code) || char === '>' ? `\\${code.toString(16)} ` : char;
    }
  }
  return `${out}"`;
}

/** `[name="value"]`. */
export function attributeSelector(name: string, value: string): string {
  return `[${name}=${quoteString(value)}]`;
}

function isControl(code: number): boolean {
  return (code >= 1 && code <= 0x1f) || code === 0x7f;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

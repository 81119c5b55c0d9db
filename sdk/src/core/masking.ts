/**
 * Masks personal data, by the rules and in the order that the server uses too (`engine/masking/rules.json`).
 */
import table from '../../../engine/masking/rules.json';

interface Rule {
  id: string;
  pattern: string;
  replacement: string;
  check?: string;
}

/** What masking made of a text, and how many data it hid. */
export interface Masked {
  text: string;
  hidden: number;
}

const rules = (table.rules as Rule[]).map((rule) => ({ ...rule, regex: new RegExp(rule.pattern, table.flags) }));

/** `text` with e-mail addresses, phone, card and account numbers replaced. Mask before cutting to length. */
export function mask(text: string): Masked {
  let current = text;
  let hidden = 0;
  for (const rule of rules) {
    const result = apply(current, rule);
    current = result.text;
    hidden += result.hidden;
  }
  return { text: current, hidden };
}

function apply(text: string, rule: Rule & { regex: RegExp }): Masked {
  const { regex } = rule;
  let out = '';
  let copied = 0;
  let hidden = 0;
  regex.lastIndex = 0;
  for (let match = regex.exec(text); match !== null; match = regex.exec(text)) {
    const [whole, before = '', datum = ''] = match;
    if (passes(rule.check, datum)) {
      out += text.slice(copied, match.index) + before + rule.replacement;
      copied = match.index + whole.length;
      hidden += 1;
      if (whole === '') {
        regex.lastIndex += 1;
      }
    } else {
      regex.lastIndex = match.index + 1;
    }
  }
  return { text: out + text.slice(copied), hidden };
}

function passes(check: string | undefined, datum: string): boolean {
  switch (check) {
    case undefined:
      return true;
    case 'luhn':
      return luhn(datum.replace(/[^0-9]/g, ''));
    case 'mod97':
      return mod97(datum.replace(/[^A-Z0-9]/g, ''));
    case 'phone':
      return phone(datum);
    default:
      // A rule newer than this build: hiding too much is the safe side.
      return true;
  }
}

function luhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits.charAt(digits.length - 1 - i));
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

function mod97(account: string): boolean {
  if (account.length < 15 || account.length > 34) {
    return false;
  }
  let remainder = 0;
  for (const char of account.slice(4) + account.slice(0, 4)) {
    for (const digit of parseInt(char, 36).toString()) {
      remainder = (remainder * 10 + Number(digit)) % 97;
    }
  }
  return remainder === 1;
}

const DATE_START = /^[0-9]{1,4}[^0-9][0-9]{1,2}[^0-9](?:19|20)[0-9]{2}(?![0-9])/;

function phone(datum: string): boolean {
  const digits = datum.replace(/[^0-9]/g, '');
  const most = digits.startsWith('0') && !digits.startsWith('00') ? 11 : 15;
  return digits.length >= 9 && digits.length <= most && !DATE_START.test(datum);
}

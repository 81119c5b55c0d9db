import { h } from '../ui/element';

/** `**bold**`, a code span between backticks, and line breaks. Anything else is text, whatever it looks like. */
const MARK = /\*\*(?=\S)([^*\n]*[^*\s])\*\*|`(?=\S)([^`\n]+)`|\r?\n/g;

/** `text` as nodes: marks become elements of ours, all the rest text nodes. */
export function markedText(text: string): (Node | string)[] {
  const nodes: (Node | string)[] = [];
  let from = 0;
  for (const match of text.matchAll(MARK)) {
    if (match.index > from) {
      nodes.push(text.slice(from, match.index));
    }
    const [all, bold, code] = match;
    nodes.push(bold !== undefined ? h('strong', {}, bold) : code !== undefined ? h('code', {}, code) : h('br'));
    from = match.index + all.length;
  }
  if (from < text.length) {
    nodes.push(text.slice(from));
  }
  return nodes;
}

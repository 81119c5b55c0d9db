/** The npm peers and the standard library for names. Each peer is a function that gives the text it would send to a model and its line for each element. */
import { computeAccessibleName, getRole } from 'dom-accessibility-api';
import { SMART_DOM_READER_BUNDLE } from '@mcp-b/smart-dom-reader/bundle-string';
import { PageController } from '@page-agent/page-controller';

const INDEX = /^\s*\*?\[(\d+)\]/;

let controller = null;

async function pageAgent() {
  controller ??= new PageController();
  const text = await controller.updateTree();
  return { text, lines: () => pageAgentLines(text) };
}

function pageAgentLines(text) {
  const lines = new Map();
  for (const line of text.split('\n')) {
    const node = controller.selectorMap.get(Number(INDEX.exec(line)?.[1] ?? -1));
    if (node?.ref instanceof Element) {
      lines.set(node.ref, line.trim());
    }
  }
  return lines;
}

// Its module is made for Node; this is the form in which it is put into pages.
const smartDom = new Function(`${SMART_DOM_READER_BUNDLE}; return SmartDOMReaderBundle;`)();

function smartDomReader() {
  const text = smartDom.executeExtraction('extractInteractive', {});
  return { text: typeof text === 'string' ? text : JSON.stringify(text), lines: () => new Map() };
}

globalThis.CircuyPeers = { pageAgent, smartDomReader };
globalThis.CircuyStandard = { computeAccessibleName, getRole };

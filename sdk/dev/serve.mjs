/**
 * `npm run dev`: the built SDK on a playground page, with a server that plays Circuy's part. For work on the SDK alone;
 * the real thing is `make demo`. Pages are served under a strict content security policy, as careful customers do.
 *
 *   PORT=8099 npm run dev     (needs `npm run build` first)
 *
 * Questions to try: "remise", "lent", "absent", "tardif", "429", "500", anything else. Recorder: /factures/42#circuy-record=demo
 */
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answerApi } from './mock_api.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const BUNDLES = join(HERE, '../../static/circuy');
const TYPES = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript', '.txt': 'text/plain' };
const PORT = Number(process.env.PORT ?? 8099);

async function sendFile(response, folder, name) {
  const path = normalize(join(folder, name));
  if (!path.startsWith(folder)) {
    response.writeHead(403).end();
    return;
  }
  try {
    const contents = await readFile(path);
    response.writeHead(200, {
      'Content-Type': `${TYPES[extname(path)] ?? 'application/octet-stream'}; charset=utf-8`,
      'Content-Security-Policy': "default-src 'self'; require-trusted-types-for 'script'",
      'Cache-Control': 'no-cache',
    });
    response.end(contents);
  } catch {
    response.writeHead(404).end();
  }
}

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://playground');
  if (/^\/(?:api\/)?v1\//.test(pathname)) {
    answerApi(request, response);
  } else if (pathname.startsWith('/static/circuy/')) {
    sendFile(response, BUNDLES, pathname.slice('/static/circuy/'.length));
  } else if (pathname.startsWith('/playground.')) {
    sendFile(response, HERE, pathname.slice(1));
  } else {
    sendFile(response, HERE, 'playground.html');
  }
});

server.listen(PORT, '127.0.0.1', () => {
  console.log(`Playground: http://127.0.0.1:${PORT}/factures/42`);
  console.log(`Recorder:   http://127.0.0.1:${PORT}/factures/42#circuy-record=demo`);
});

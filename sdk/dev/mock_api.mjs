/** Plays the server for the playground: the calls of the SDK, with answers chosen by a word in the question. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

const next = [{ text: 'Suivant', action: 'next' }];
const backAndNext = [{ text: 'Retour', action: 'back' }, ...next];

const DISCOUNT = {
  tour_id: '0190c0de-0000-7000-8000-000000000001',
  status: 'ephemeral',
  source: 'local',
  title: 'Ajouter une remise',
  steps: [
    step(
      '#facture-client',
      'select[name="client"]',
      'Choisir le client',
      'Choisissez dans « Client » la personne à facturer.',
      next,
    ),
    step(
      '[data-testid="remise-disparue"]',
      'input[name="remise"]',
      'Saisir la remise',
      'Entrez ici le pourcentage de réduction à appliquer à la facture.',
      backAndNext,
    ),
    step('#enregistrer', '', 'Enregistrer', 'Cliquez sur « Enregistrer la facture » pour garder la remise.', [
      { text: 'Terminé', action: 'next' },
    ]),
  ],
};

const PUBLISHED = {
  ...DISCOUNT,
  tour_id: '0190c0de-0000-7000-8000-000000000002',
  status: 'published',
  source: 'published',
  title: 'Exporter les factures',
  steps: [step('#exporter', '', 'Exporter', 'Le fichier CSV contient les factures affichées.', [])],
};

const ABSENT = {
  ...DISCOUNT,
  title: 'Un élément absent',
  steps: [
    step('#nulle-part', '#ni-ailleurs', '<img src=x onerror=alert(1)>', 'Cliquez sur <b>Archiver</b>.', next),
    ...DISCOUNT.steps.slice(2),
  ],
};

const LATE = {
  ...DISCOUNT,
  title: 'Un élément tardif',
  steps: [step('#tardif', '', 'Voir le détail', 'Le détail vient d’arriver.', [])],
};

const GUIDES = [PUBLISHED, { ...DISCOUNT, title: 'Créer une facture avec une remise' }];
const NOTHING = {
  tour_id: null,
  status: 'ephemeral',
  source: 'local',
  title: '',
  steps: [],
  message: "Désolé, je n'ai pas trouvé l'élément correspondant sur cette page.",
};
const SUGGESTIONS = ['Ajouter une remise', 'Choisir un client', 'Exporter les factures'];

const LOOK = {
  accent: '#4f46e5',
  side: 'right',
  offset_x: 20,
  offset_y: 20,
  label: '',
  hidden_on: [],
  events_percent: 100,
};

const waiting = new Map();
let scansAsked = 0;
let isObserving = false;

function step(element, fallback, title, text, buttons) {
  return { attachTo: { element, on: 'bottom' }, fallback_selector: fallback, title, text, buttons };
}

function answerTo(question) {
  const guide = [
    [/remise|lent/i, DISCOUNT],
    [/export/i, PUBLISHED],
    [/absent/i, ABSENT],
    [/tardif/i, LATE],
  ].find(([pattern]) => pattern.test(question))?.[1];
  return {
    question_id: randomUUID(),
    visitor: 'visitor-token',
    suggestions: guide ? [] : SUGGESTIONS,
    ...(guide ?? NOTHING),
  };
}

function send(response, status, body, headers = {}) {
  response.writeHead(status, {
    'Content-Type': status < 400 ? 'application/json' : 'application/problem+json',
    ...headers,
  });
  response.end(JSON.stringify(body));
}

function problem(response, status, code, detail, headers) {
  send(response, status, { type: 'about:blank', title: code, status, code, detail }, headers);
}

async function ask(response, { question }) {
  if (/429/.test(question)) {
    problem(response, 429, 'throttled', 'Too many requests.', { 'Retry-After': '12' });
  } else if (/500/.test(question)) {
    problem(response, 500, 'server_error', 'Something broke.');
  } else if (/lent/.test(question)) {
    const id = randomUUID();
    waiting.set(id, { ready: Date.now() + 8_000, answer: answerTo(question) });
    send(response, 202, { question_id: id, visitor: 'visitor-token' }, { Location: `/v1/ai/questions/${id}` });
  } else {
    await wait(500);
    send(response, 200, answerTo(question));
  }
}

function poll(response, id) {
  const question = waiting.get(id);
  const isReady = question !== undefined && Date.now() >= question.ready;
  send(response, isReady ? 200 : 202, isReady ? question.answer : { question_id: id });
}

function scanStatus(response, id) {
  scansAsked += 1;
  const isLearned = scansAsked % 3 === 0;
  const skill = {
    id: 'skill',
    name: 'Nouvelle facture',
    intents: 12,
    review_url: '/admin/skills/pageskill/skill/change/',
  };
  send(response, 200, { scan_id: id, status: isLearned ? 'learned' : 'received', skill: isLearned ? skill : null });
}

async function readBody(request) {
  const parts = [];
  for await (const part of request) {
    parts.push(part);
  }
  return parts.length === 0 ? {} : JSON.parse(Buffer.concat(parts).toString('utf8'));
}

const SHOWN_STEPS = [
  { step: 1, intent: 'Choisir « Brun » dans Client', confidence: 0.95, reasons: [] },
  { step: 2, intent: 'Cliquer sur Enregistrer', confidence: 0.6, reasons: ["Je n'ai pas vu ce que cela change."] },
];

/** Plays Léa's part: one demonstration, from the first word to the review. */
function chat({ text }) {
  if (/observe/i.test(text)) {
    isObserving = true;
    return { reply: "J'observe. Fais ta tâche.", state: 'observing' };
  }
  if (/fini/i.test(text)) {
    isObserving = false;
    const reply = "J'ai observé 2 étapes.\nC'est correct ?";
    return { reply, state: 'reviewing', steps: SHOWN_STEPS, choices: ['Oui', 'Annule tout'] };
  }
  if (/oui/i.test(text)) {
    const tour = { title: 'Créer une facture', review_url: '/admin/tours/tour/1/review/' };
    return { reply: 'Tâche apprise et sauvegardée.', state: 'persisted', tour };
  }
  return { reply: 'Dis-moi « observe ce que je fais ».', state: isObserving ? 'observing' : 'idle' };
}

/** Answers one call of the API; prints the events and scans that it is given. */
export async function answerApi(request, response) {
  const { pathname } = new URL(request.url, 'http://playground');
  const id = pathname.split('/').pop();
  const body = await readBody(request);
  switch (`${request.method} ${pathname.replace(/\/(questions|tours|scans|shadow)\/[^/]+/, '/$1/:id')}`) {
    case 'POST /v1/ai/ask':
      return ask(response, body);
    case 'GET /v1/ai/questions/:id':
      return poll(response, id);
    case 'GET /v1/tours':
      return send(response, 200, {
        tours: GUIDES.map(({ tour_id, title, steps }) => ({ tour_id, title, steps_count: steps.length })),
        suggestions: SUGGESTIONS,
      });
    case 'GET /v1/widget':
      return send(response, 200, LOOK);
    case 'GET /v1/tours/:id':
      return send(response, 200, GUIDES.find(({ tour_id }) => tour_id === id) ?? PUBLISHED);
    case 'POST /v1/events':
      console.log(
        'events',
        body.events.map(({ type, step, detail }) =>
          [type, step, detail].filter((part) => part !== undefined).join(' '),
        ),
      );
      return send(response, 202, { accepted: body.events.length, duplicates: 0 });
    case 'POST /v1/recorder/sessions':
      return body.code === 'demo'
        ? send(response, 201, {
            token: 'rt_demo',
            expires_in: 1800,
            organization: 'Maison Orée',
            member: 'Claire Martin',
            locale: 'fr',
          })
        : problem(response, 410, 'code_used_or_expired', 'This code was used or has expired.');
    case 'POST /v1/recorder/renew':
      return send(response, 200, { token: 'rt_demo', expires_in: 1800 });
    case 'POST /v1/chat':
      return send(response, 200, chat(body));
    case 'POST /api/v1/traces/stream/event':
      for (const event of body.events) {
        console.log('shown', event.sequence, event.kind, event.target?.name ?? '', event.value ?? event.option ?? '');
      }
      return send(response, 202, { status: 'accepted', recording: isObserving });
    case 'GET /api/v1/shadow/:id/understanding':
      return send(response, 200, { steps: SHOWN_STEPS.slice(0, 1), current_step: null, recording: isObserving });
    case 'POST /v1/scans':
      console.log('scan', JSON.stringify(body, null, 1));
      return send(response, 202, { scan_id: randomUUID() });
    case 'GET /v1/scans/:id':
      return scanStatus(response, id);
    default:
      return problem(response, 404, 'not_found', 'No such address.');
  }
}

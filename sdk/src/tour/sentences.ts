/** What a running guide says, in both languages. */

const fr = {
  understood: 'Compris',
  stepOf: 'Étape {count} sur {total}',
  tourClose: 'Fermer le guide',
  waiting: 'Je cherche cet élément…',
  missing: 'Je ne vois pas cet élément pour le moment. Il est peut-être masqué, ou la page a changé.',
  ambiguous:
    'Plusieurs éléments de la page pourraient convenir. Plutôt que de montrer le mauvais, je vous laisse choisir.',
  outside: 'Cet élément est hors de la fenêtre. Faites défiler la page, ou ouvrez le volet où il se trouve.',
  whatToLookFor: 'Ce qu’il faut chercher :',
  openFirst: 'Ouvrez d’abord « {name} ».',
  openThisFirst: 'Ouvrez d’abord cette partie de la page.',
  thenInside: 'Je vous montre la suite dès que c’est ouvert.',
  otherPage: 'Cette étape se passe sur une autre page ({route}).',
  goThere: 'M’y emmener',
  statusEphemeral: 'Guide préparé à l’instant pour vous — en attente de relecture',
  statusPublished: 'Guide relu et approuvé',
};

export type SentenceKey = keyof typeof fr;

const en: Record<SentenceKey, string> = {
  understood: 'Got it',
  stepOf: 'Step {count} of {total}',
  tourClose: 'Close the guide',
  waiting: 'Looking for this element…',
  missing: 'I can’t see this element right now. It may be hidden, or the page has changed.',
  ambiguous: 'Several elements on this page could be meant. Rather than show the wrong one, I leave the choice to you.',
  outside: 'This element is outside the window. Scroll the page, or open the drawer it is in.',
  whatToLookFor: 'What to look for:',
  openFirst: 'First open “{name}”.',
  openThisFirst: 'First open this part of the page.',
  thenInside: 'I’ll show you the next bit as soon as it is open.',
  otherPage: 'This step takes place on another page ({route}).',
  goThere: 'Take me there',
  statusEphemeral: 'Guide made just now for you — awaiting review',
  statusPublished: 'Reviewed and approved guide',
};

export const sentences = { fr, en };

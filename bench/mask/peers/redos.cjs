// Asks recheck which of the regular expressions given as a JSON list of [source, flags] could be slow.
const { checkSync } = require('recheck');
const { readFileSync } = require('node:fs');

const expressions = JSON.parse(readFileSync(0, 'utf8'));
const statuses = expressions.map(([source, flags]) => checkSync(source, flags, { checker: 'automaton', timeout: 20_000 }).status);
console.log(JSON.stringify(statuses));

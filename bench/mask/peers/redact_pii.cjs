// Masks the texts given as a JSON list, with redact-pii as it comes.
const { SyncRedactor } = require('redact-pii');
const { readFileSync } = require('node:fs');

const redactor = new SyncRedactor();
console.log(JSON.stringify(JSON.parse(readFileSync(0, 'utf8')).map((text) => redactor.redact(text))));

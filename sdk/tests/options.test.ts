import { describe, expect, it } from 'vitest';
import { readOptions, type Surroundings } from '../src/entry/options';

const AROUND: Surroundings = { data: {}, server: 'https://circuy.example', languages: ['de', 'en-GB'] };

function read(given: unknown, around: Partial<Surroundings> = {}) {
  return readOptions(given, { ...AROUND, ...around });
}

describe('what a page says to init', () => {
  it('is taken as it is, and completed from the page', () => {
    const user = { id: '42', hash: 'ab' };
    expect(read({ key: 'pk_1', user, hideOn: ['/pay/**'], consent: false })).toEqual({
      complaint: '',
      settings: {
        base: 'https://circuy.example',
        key: 'pk_1',
        locale: 'en',
        user,
        messages: {},
        hideOn: ['/pay/**'],
      },
    });
  });

  it('may stand in the script tag', () => {
    const data = { key: 'pk_1', locale: 'fr', userId: '42', userHash: 'ab' };
    expect(read({}, { data }).settings).toMatchObject({ key: 'pk_1', locale: 'fr', user: { id: '42', hash: 'ab' } });
    expect(read({ user: null }, { data }).settings?.user).toBeNull();
  });

  it('speaks a language that it brings a dictionary for', () => {
    const messages = { de: { send: 'Senden' } };
    expect(read({ key: 'pk_1', messages }).settings).toMatchObject({ locale: 'de', messages });
  });

  it('needs a server when no script tells it', () => {
    expect(read({ key: 'pk_1' }, { server: '' })).toMatchObject({
      settings: null,
      complaint: expect.stringContaining('server: give the') as unknown,
    });
    expect(read({ key: 'pk_1', server: 'https://c.example/path' }, { server: '' }).settings?.base).toBe(
      'https://c.example',
    );
  });

  it.each([
    [{}, 'key: give the publishable key'],
    [{ key: 'sk_live_1' }, 'a secret key, sk_, must never stand in a page'],
    [{ key: 7 }, 'key: give'],
    [null, 'give the options as an object'],
    ['pk_1', 'give the options as an object'],
  ])('cannot start with %j', (given, complaint) => {
    const answer = read(given);
    expect(answer.settings).toBeNull();
    expect(answer.complaint).toContain(complaint);
  });

  it.each([
    [{ server: 'circuy' }, 'server: give'],
    [{ server: 'javascript:alert(1)' }, 'server: give'],
    [{ locale: 3 }, 'locale: give a language tag'],
    [{ user: { id: 42, hash: 'ab' } }, 'user: give { id, hash }'],
    [{ user: 'camille' }, 'user: give { id, hash }'],
    [{ hideOn: '/pay' }, 'hideOn: give paths'],
    [{ hideOn: ['pay'] }, 'hideOn: give paths'],
    [{ messages: { de: 'Senden' } }, 'messages: give texts by language'],
    [{ consent: 'yes' }, 'consent: give true or false'],
    [{ colour: 'red' }, 'colour: there is no such option, only key, server, locale'],
    [{ toString: 1 }, 'toString: there is no such option'],
  ])('does without %j, and says so', (wrong, complaint) => {
    const answer = read({ key: 'pk_1', ...wrong });
    expect(answer.settings).toMatchObject({ key: 'pk_1', user: null, hideOn: [], messages: {} });
    expect(answer.complaint).toContain(complaint);
  });

  it('names all that is wrong in one sentence, each thing once', () => {
    expect(read({ key: 'sk_1', locale: 3 }).complaint.match(/key: |locale: /g)).toEqual(['key: ', 'locale: ']);
  });

  it('tells who identifies a user by halves', () => {
    expect(read({}, { data: { key: 'pk_1', userId: '42' } })).toMatchObject({
      complaint: expect.stringContaining('data-user-hash') as unknown,
      settings: { user: null },
    });
  });
});

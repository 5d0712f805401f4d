import t from 'tap';
import { searchPrefixes } from '../src/users/search-prefixes.ts';

t.test('the prefixes come from the two longest words before the domain', async (t) => {
  const expected: Record<string, string[]> = {
    'ann.zuckermann.42@lms.test': ['zucker', 'ann'],
    'ann zuckermann': ['zucker', 'ann'],
    '@lms.test': ['test', 'lms'],
    'x@lms.test': ['test', 'lms'],
    ab: [],
    '%_\\': [],
    özil: ['özil'],
  };
  for (const [text, prefixes] of Object.entries(expected)) t.same(searchPrefixes(text), prefixes, text);
});

t.test('every prefix is part of the text, so that the lookup misses no row', async (t) => {
  for (const text of ['a_b%c', 'x'.repeat(100), 'zoë 😀😀😀 ünïcödé', 'a@b@c', '100%_sure\\', '𝔘𝔫𝔦𝔠𝔬𝔡𝔢'])
    for (const prefix of searchPrefixes(text)) t.ok(text.includes(prefix) && !/[%_\\]/.test(prefix), text);
});

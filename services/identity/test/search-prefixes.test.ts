import t from 'tap';
import { searchPrefixes } from '../src/users/search-prefixes.ts';

t.test('the index is asked for the heads of the two longest words, before the domain', async (t) => {
  const expected: Record<string, string[]> = {
    'ann.zuckermann.42@lms.test': ['zucker', 'ann'],
    'ann zuckermann': ['zucker', 'ann'],
    '@lms.test': ['test', 'lms'],
    'x@lms.test': ['test', 'lms'],
    ab: [],
    '%_\\': [],
    özil: ['özil'],
  };
  for (const [text, pieces] of Object.entries(expected)) t.same(searchPrefixes(text), pieces, text);
});

t.test('every piece is part of the text, so that nothing that holds the text is missed', async (t) => {
  for (const text of ['a_b%c', 'x'.repeat(100), 'zoë 😀😀😀 ünïcödé', 'a@b@c', '100%_sure\\', '𝔘𝔫𝔦𝔠𝔬𝔡𝔢'])
    for (const piece of searchPrefixes(text)) t.ok(text.includes(piece) && !/[%_\\]/.test(piece), text);
});

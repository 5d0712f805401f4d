const minWordLength = 3;
const maxPrefixLength = 6;
const maxPrefixes = 2;

/**
 * The parts of a search text to look up in the trigram index; PostgreSQL then checks the found rows for the whole text.
 * With a million users every frequent trigram costs a scan of its long posting list, so the lookup uses only the first
 * characters of the two longest words, and ignores the e-mail domain, which many users share.
 */
export function searchPrefixes(text: string): string[] {
  const local = text.slice(0, Math.max(text.lastIndexOf('@'), 0));
  const words = wordsOf(local).length > 0 ? wordsOf(local) : wordsOf(text);
  const byLength = words.toSorted((one, other) => other.length - one.length);
  return byLength.slice(0, maxPrefixes).map((word) => [...word].slice(0, maxPrefixLength).join(''));
}

const wordsOf = (text: string) => text.match(/[\p{L}\p{N}]+/gu)?.filter((word) => word.length >= minWordLength) ?? [];

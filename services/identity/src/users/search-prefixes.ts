const minWordLength = 3;
const maxPrefixLength = 6;
const maxPrefixes = 2;

/**
 * The pieces of a search that the trigram index is asked for; the rows that it finds are then looked through for the
 * whole. At a million users each frequent trigram costs a walk through its list, and most of a long search adds none but
 * frequent ones: so the heads of its two longest words will do, without the domain, which is everybody's.
 */
export function searchPrefixes(text: string): string[] {
  const local = text.slice(0, Math.max(text.lastIndexOf('@'), 0));
  const words = wordsOf(local).length > 0 ? wordsOf(local) : wordsOf(text);
  const byLength = words.toSorted((one, other) => other.length - one.length);
  return byLength.slice(0, maxPrefixes).map((word) => [...word].slice(0, maxPrefixLength).join(''));
}

const wordsOf = (text: string) => text.match(/[\p{L}\p{N}]+/gu)?.filter((word) => word.length >= minWordLength) ?? [];
